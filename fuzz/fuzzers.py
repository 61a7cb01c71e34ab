"""All fuzz tests, in the order of a full run."""

from __future__ import annotations

from fuzz.calls import Calls
from fuzz.case import Fuzzer
from fuzz.commands import Commands
from fuzz.files import Files
from fuzz.flips import Flips
from fuzz.kills import Kills

FUZZERS: dict[str, type[Fuzzer]] = {fuzzer.name: fuzzer for fuzzer in (Files, Calls, Commands, Flips, Kills)}
