"""What the commands, the API and the page do; each file is one use."""
