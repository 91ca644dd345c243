"""The language server on pygls: thin, one module per LSP request or group of notifications."""
