"""Declarations as Python's own parser reads them."""

import ast
import re
import warnings

from reading import run, symbol

warnings.simplefilter("ignore")


def read(data, path):
    tree = ast.parse(data)
    text = data.decode("utf-8-sig")
    lines = re.split("\r\n|\r|\n", text)
    found = []
    for node in tree.body:
        statement(found, lines, node, [])
    return found


def statement(found, lines, node, inside):
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        found.append(named(lines, node, "function", inside))
        return block(found, lines, node, inside + ["function"])
    if isinstance(node, ast.ClassDef):
        found.append(named(lines, node, "class", inside))
        return block(found, lines, node, inside + ["class"])
    for target in targets(node):
        names(found, target, inside)
    return block(found, lines, node, inside)


def block(found, lines, node, inside):
    """Collects the declarations in the statements inside a statement."""
    for field in ("body", "orelse", "finalbody"):
        for child in getattr(node, field, []) or []:
            if isinstance(child, ast.stmt):
                statement(found, lines, child, inside)
    for part in (getattr(node, "handlers", None) or []) + (getattr(node, "cases", None) or []):
        block(found, lines, part, inside)


def targets(node):
    if isinstance(node, ast.Assign):
        return node.targets
    if isinstance(node, ast.AnnAssign):
        return [node.target]
    if hasattr(ast, "TypeAlias") and isinstance(node, ast.TypeAlias):
        return [node.name]
    return []


def names(found, target, inside):
    if isinstance(target, ast.Name):
        found.append(symbol(target.id, "variable", target.lineno, target.col_offset + 1, inside))
    if isinstance(target, ast.Starred):
        names(found, target.value, inside)
    if isinstance(target, (ast.Tuple, ast.List)):
        for element in target.elts:
            names(found, element, inside)


def named(lines, node, kind, inside):
    """A symbol at the place of its name. The tree has only the place of `def` or `class`, and the name follows that word."""
    line, column = node.lineno, node.col_offset
    rest = lines[line - 1].encode()[column:]
    head = re.match(rb"(async\s+)?(def|class)\s+", rest)
    while head is None or head.end() == len(rest):
        raise ValueError(f"the name of {node.name} is on another line than its keyword")
    return symbol(node.name, kind, line, column + head.end() + 1, inside)


run(read)
