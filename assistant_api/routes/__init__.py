"""The API and the pages over HTTP; they call services and nothing below."""
