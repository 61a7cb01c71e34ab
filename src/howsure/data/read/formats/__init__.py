"""File formats, one module for each."""

from howsure.data.read.formats.declare import Format, Scan, Wanted, declare_format, format_list, formats
from howsure.registry import import_modules

import_modules(__name__)

__all__ = ["Format", "Scan", "Wanted", "declare_format", "format_list", "formats"]
