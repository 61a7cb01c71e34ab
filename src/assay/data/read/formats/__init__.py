"""The formats of files, one module each; `declare` says what a module must provide."""

from importlib import import_module
from pkgutil import iter_modules

from assay.data.read.formats.declare import Format, Scan, declare_format, format_list, formats

for _module in iter_modules(__path__):  # each declares its formats
    import_module(f"{__name__}.{_module.name}")

__all__ = ["Format", "Scan", "declare_format", "format_list", "formats"]
