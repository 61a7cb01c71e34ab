"""All nets there are, in the order in which a full run casts them."""

from __future__ import annotations

from fuzz.calls import Calls
from fuzz.case import Net
from fuzz.commands import Commands
from fuzz.files import Files
from fuzz.flips import Flips
from fuzz.kills import Kills

NETS: dict[str, type[Net]] = {net.name: net for net in (Files, Calls, Commands, Flips, Kills)}
