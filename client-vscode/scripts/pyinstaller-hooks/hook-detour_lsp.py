"""How detour_lsp is frozen: its sources lie beside the bytecode, because the knowledge cache is stamped by them
and because a traceback in a bug report should show lines."""

module_collection_mode = "pyz+py"
