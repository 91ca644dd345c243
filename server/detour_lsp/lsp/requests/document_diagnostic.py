"""`textDocument/diagnostic`: the findings of a document for clients that pull."""

from __future__ import annotations

import hashlib

from lsprotocol import types

from detour_lsp.lsp.publishing import capped, finding_diagnostics
from detour_lsp.lsp.server import DetourServer


async def handle(ls: DetourServer, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
    """Answer with the findings, or with `unchanged` when they are those of the previous answer."""
    uri = params.text_document.uri
    await ls.ready()
    await ls.analysis.settled(uri)
    items = capped(ls, uri, finding_diagnostics(ls, uri))
    result_id = hashlib.sha1(repr(items).encode("utf-8", "replace"), usedforsecurity=False).hexdigest()[:16]
    if params.previous_result_id == result_id:
        return types.RelatedUnchangedDocumentDiagnosticReport(result_id=result_id)
    return types.RelatedFullDocumentDiagnosticReport(items=items, result_id=result_id)
