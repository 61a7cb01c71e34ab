"""The commands, one module each; `assay.cli.declare` says what a module must provide."""
