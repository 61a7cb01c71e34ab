"""Translation of the declared formulas of measures to JavaScript.

A page computes measures from the same formulas as Python: "tp / (tp + fn)" becomes "div(tp,(tp+fn))", where division by
0 gives NaN.
"""

from __future__ import annotations

import ast
from typing import Any

OPERATORS: dict[type, str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}
COUNTS = ("tp", "fp", "fn", "tn", "n")


def function(formula: str, *, ratio: bool) -> str:
    """Return a formula as a function; a ratio returns both its terms."""
    tree = ast.parse(formula, mode="eval").body
    if ratio:
        assert isinstance(tree, ast.BinOp), f"{formula} is not a ratio"
        body = f"[{_expression(tree.left)},{_expression(tree.right)}]"
    else:
        body = _expression(tree)
    return f"({','.join(COUNTS)})=>{body}"


def _expression(node: ast.AST) -> str:
    if isinstance(node, ast.BinOp):
        left, right = _expression(node.left), _expression(node.right)
        return f"div({left},{right})" if isinstance(node.op, ast.Div) else f"({left}{OPERATORS[type(node.op)]}{right})"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "sqrt":
        return f"sqrt({_expression(node.args[0])})"
    if isinstance(node, ast.Constant):
        return repr(node.value)
    assert isinstance(node, ast.Name), ast.dump(node)
    return node.id


def script_json(value: Any) -> str:
    """Return JSON that is safe inside a script element."""
    from jinja2.utils import htmlsafe_json_dumps

    return str(htmlsafe_json_dumps(value, allow_nan=False, separators=(",", ":")))
