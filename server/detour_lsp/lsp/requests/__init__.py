"""One module per request."""
