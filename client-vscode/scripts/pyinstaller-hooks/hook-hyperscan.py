"""hyperscan's sources lie beside its bytecode: the knowledge cache is stamped by the file that the engine came from."""

module_collection_mode = "pyz+py"
