"""Layouts of the folders that toolkits write: outputs where their training and decoding leave them."""
