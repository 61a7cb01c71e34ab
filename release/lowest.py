"""Print the lowest versions that pyproject.toml allows, as constraints for pip: ``make test-lowest`` installs them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

EXTRAS = ("fast", "test", "dask")


def constraints() -> list[str]:
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
    named = [*project["dependencies"], *(one for extra in EXTRAS for one in project["optional-dependencies"][extra])]
    found = (re.match(r"([\w.-]+)(?:\[[\w,]+\])?>=([\d.]+)", one) for one in named)
    return sorted(
        {
            f"{match[1]}=={match[2]}.*" if match[2].count(".") < 2 else f"{match[1]}=={match[2]}"
            for match in found
            if match
        }
    )


if __name__ == "__main__":
    print(*constraints(), sep="\n")
