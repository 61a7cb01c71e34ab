"""Formulas of measures, as they are declared, in the script of a page.

A page computes measures as Python does, from the one declared formula: "tp / (tp + fn)" is written "div(tp,(tp+fn))",
since 0 / 0 and 1 / 0 have no value here.
"""

from __future__ import annotations

import ast
import json
from typing import Any

OPERATORS: dict[type, str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}
COUNTS = ("tp", "fp", "fn", "tn", "n")


def function(formula: str, *, ratio: bool) -> str:
    """Write a formula of the four counts as a function; of a ratio it gives numerator and denominator."""
    tree = ast.parse(formula, mode="eval").body
    if ratio:
        assert isinstance(tree, ast.BinOp), f"{formula} is no ratio"
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
    """Write plain values as JSON that can stand inside a script element: nothing in it ends the element."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text
