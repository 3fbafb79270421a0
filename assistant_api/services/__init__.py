"""One file a use: what the commands, the API and the pages have in common."""
