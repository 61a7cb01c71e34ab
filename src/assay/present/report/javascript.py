"""Formulas of measures, as they are declared, in the script of a page.

A page computes measures as Python does, from the one declared formula. There a number carries its derivatives by the
four counts along (forward differentiation), so that operators become functions: "tp / (tp + fn)" is written
"div(tp,add(tp,fn))".
"""

from __future__ import annotations

import ast
import json
from typing import Any

OPERATORS: dict[type, str] = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div"}
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
        return f"{OPERATORS[type(node.op)]}({_expression(node.left)},{_expression(node.right)})"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "sqrt":
        return f"sqrt({_expression(node.args[0])})"
    if isinstance(node, ast.Constant):
        return f"constant({node.value!r})"
    assert isinstance(node, ast.Name), ast.dump(node)
    return node.id


def script_json(value: Any) -> str:
    """Write plain values as JSON that can stand inside a script element: nothing in it ends the element."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text
