"""The commands, one module each; `howsure.cli.declare` explains what a module must provide."""
