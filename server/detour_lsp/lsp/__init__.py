"""The language server: one module per LSP request or group of notifications."""
