"""The command line, the HTTP API and the phone pages: the only package that knows both vision and engine."""

__version__ = "0.1.0"
