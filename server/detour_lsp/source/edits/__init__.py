"""The edits that a record may name. Adding one is a function here and a line in `knowledge/grammar.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from detour_lsp.knowledge.record import Clause
from detour_lsp.source.edits.branches import if_to_where
from detour_lsp.source.edits.calls import append_call, replace_call, replace_method, wrap_expression
from detour_lsp.source.edits.functions import add_decorator, lambda_to_function, remove_decorator
from detour_lsp.source.edits.guard import guard_main
from detour_lsp.source.edits.imports import add_import
from detour_lsp.source.edits.insertion import insert_statement, move_before_import
from detour_lsp.source.edits.keywords import remove_keyword, replace_value, set_keyword
from detour_lsp.source.edits.renaming import replace_name
from detour_lsp.source.edits.site import Site
from detour_lsp.source.edits.statements import remove_statement, replace_text, wrap_statement
from detour_lsp.source.finding import TextEdit
from detour_lsp.source.templates import Names

#: An edit at one place: the changes, none where the code is already as wanted. Raises Refused.
EditFunction = Callable[[Site, Clause, Names], list[TextEdit]]

EDITS: Mapping[str, EditFunction] = {
    "set_keyword": set_keyword,
    "remove_keyword": remove_keyword,
    "replace_value": replace_value,
    "replace_call": replace_call,
    "replace_name": replace_name,
    "replace_method": replace_method,
    "remove_statement": remove_statement,
    "insert_statement": insert_statement,
    "add_import": add_import,
    "add_decorator": add_decorator,
    "remove_decorator": remove_decorator,
    "wrap_expression": wrap_expression,
    "append_call": append_call,
    "move_before_import": move_before_import,
    "guard_main": guard_main,
    "wrap_statement": wrap_statement,
    "replace_text": replace_text,
    "if_to_where": if_to_where,
    "lambda_to_function": lambda_to_function,
}

__all__ = ["EDITS", "EditFunction", "Site"]
