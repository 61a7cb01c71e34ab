"""Run the command line as ``python -m howsure``."""

from howsure.cli import main

if __name__ == "__main__":
    main(prog_name="howsure")
