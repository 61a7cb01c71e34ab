from .result import Result as Result
from .sheet import Record as Record
from .sheet import Sheet as Sheet
