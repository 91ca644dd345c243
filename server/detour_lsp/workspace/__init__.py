"""What is open and what has happened: documents, incidents, findings, settings. Knows nothing of LSP types."""
