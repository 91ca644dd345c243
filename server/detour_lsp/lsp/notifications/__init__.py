"""One module per group of notifications."""
