"""The commands, one module each; `howsure.cli.declare` says what a module must provide."""
