"""Which files make up which server."""
