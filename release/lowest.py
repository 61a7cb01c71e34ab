"""Print the lowest versions that pyproject.toml allows as constraints for pip, for ``make test-lowest``."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

EXTRAS = ("fast", "test", "dask")


def constraints() -> list[str]:
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
    optional = (requirement for extra in EXTRAS for requirement in project["optional-dependencies"][extra])
    pattern = re.compile(r"([\w.-]+)(?:\[[\w,]+\])?>=([\d.]+)")
    matches = map(pattern.match, [*project["dependencies"], *optional])
    return sorted(
        {
            f"{match[1]}=={match[2]}.*" if match[2].count(".") < 2 else f"{match[1]}=={match[2]}"
            for match in matches
            if match
        }
    )


if __name__ == "__main__":
    print(*constraints(), sep="\n")
