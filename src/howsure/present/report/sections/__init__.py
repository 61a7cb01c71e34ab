"""The sections of pages, each declared in a module of its own."""
