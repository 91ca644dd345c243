"""Findings and incidents as LSP diagnostics, pushed or handed to a client that pulls."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from detour_lsp.card import title_of
from detour_lsp.logs.incident import Span
from detour_lsp.lsp import record_problems
from detour_lsp.lsp.positions import line_range, offsets_range, span_range
from detour_lsp.lsp.text_document import SyncedDocument
from detour_lsp.lsp.uris import path_of, uri_of
from detour_lsp.source.finding import Finding
from detour_lsp.source.wording import message_of
from detour_lsp.workspace.incidents import Entry

if TYPE_CHECKING:
    from detour_lsp.lsp.server import DetourServer

_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "information": types.DiagnosticSeverity.Information,
    "symptom": types.DiagnosticSeverity.Information,
    "hint": types.DiagnosticSeverity.Hint,
}
SOURCE = "detour"


def publish(server: DetourServer, names: Iterable[str]) -> None:
    """Push the diagnostics of targets or URIs again, and tell the list of incidents to clients that asked for it."""
    for name in dict.fromkeys(names):
        uri = server.uri_of_target(name)
        document = server.document(uri)
        if not server.abilities.pull_diagnostics and server.analysis.is_behind(uri):
            # Findings would stand where they were before the last edit. The check tells all of it when it is done.
            continue
        server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(
                uri=uri,
                diagnostics=capped(server, uri, pushed(server, uri)),
                version=document.version if document else None,
            )
        )
    server.tell_incidents()


def pushed(server: DetourServer, uri: str) -> list[types.Diagnostic]:
    """What is pushed for a URI: all, or only the incidents when the client pulls the findings itself."""
    incidents = [*incident_diagnostics(server, uri), *record_problems.diagnostics(server, uri)]
    pulls = server.abilities.pull_diagnostics and server.document(uri) is not None
    return incidents if pulls else [*finding_diagnostics(server, uri), *incidents]


def finding_diagnostics(server: DetourServer, uri: str) -> list[types.Diagnostic]:
    """The findings of an open Python document."""
    document = server.document(uri)
    if document is None:
        return [_unopened(server, finding) for finding in server.unopened_findings(server.target_of(uri))]
    return [_finding(server, finding, document) for finding in server.analysis.findings(uri)]


def incident_diagnostics(server: DetourServer, uri: str) -> list[types.Diagnostic]:
    """The incidents on the lines of a document: of code that raised them, and of a log that tells them."""
    if server.knowledge is None or not server.settings_of(uri).incidents_enabled:
        return []
    document = server.document(uri)
    target = server.target_of(uri)
    on_code = [_on_code(server, entry, document) for entry in server.store.in_target(target)]
    in_log = [_in_log(server, entry, document) for entry in server.store.of_source(target)]
    return [*on_code, *in_log]


def capped(server: DetourServer, uri: str, diagnostics: list[types.Diagnostic]) -> list[types.Diagnostic]:
    """At most as many as the settings allow; the last one then says how many are hidden."""
    limit = server.settings_of(uri).max_per_file
    hidden_ones = max(0, len(diagnostics) - limit) + server.store.dropped(server.target_of(uri))
    if not hidden_ones:
        return diagnostics
    shown = diagnostics[:limit]
    hidden = types.Diagnostic(
        range=shown[-1].range if shown else line_range(0, None, server.documents.encoding),
        message=f"该文件还有 {hidden_ones} 个问题未显示（detour.maxProblemsPerFile）"
        if server.language == "zh"
        else f"{hidden_ones} more problems of this file are hidden (detour.maxProblemsPerFile)",
        severity=types.DiagnosticSeverity.Information,
        source=SOURCE,
    )
    return [*shown, hidden]


def _finding(server: DetourServer, finding: Finding, document: SyncedDocument) -> types.Diagnostic:
    return _of_finding(server, finding, offsets_range(finding.start, finding.end, document.document, document.encoding))


def _unopened(server: DetourServer, finding: Finding) -> types.Diagnostic:
    span = Span(finding.line, finding.column, finding.end_line, finding.end_column)
    return _of_finding(server, finding, span_range(span, None, server.documents.encoding))


def _of_finding(server: DetourServer, finding: Finding, where: types.Range) -> types.Diagnostic:
    return _diagnostic(
        server,
        finding.record,
        where,
        _message(server, finding),
        finding.severity,
        {"finding": finding.fingerprint, "record": finding.record, "deadEnd": finding.dead_end},
        deprecated="deprecated" in finding.tags,
    )


def _message(server: DetourServer, finding: Finding) -> str:
    """The sentence of a finding in the language of the cards."""
    if server.language == "en" or server.knowledge is None:
        return finding.message
    return message_of(server.knowledge.records[finding.record], finding.dead_end, server.language)


def _on_code(server: DetourServer, entry: Entry, document: SyncedDocument | None) -> types.Diagnostic:
    text = document.document if document else None
    where = line_range(entry.line, text, server.documents.encoding)
    diagnostic = _entry(server, entry, where)
    if server.abilities.related_information and entry.source.uri:
        log = server.document(entry.source.uri)
        diagnostic.related_information = [
            types.DiagnosticRelatedInformation(
                types.Location(
                    entry.source.uri,
                    span_range(entry.incident.span, log.document if log else None, server.documents.encoding),
                ),
                entry.incident.message.partition("\n")[0][:200] or entry.incident.record,
            )
        ]
    return diagnostic


def _in_log(server: DetourServer, entry: Entry, document: SyncedDocument | None) -> types.Diagnostic:
    text = document.document if document else None
    diagnostic = _entry(server, entry, span_range(entry.incident.span, text, server.documents.encoding))
    if server.abilities.related_information and entry.target:
        code = server.document_of_target(entry.target)
        diagnostic.related_information = [
            types.DiagnosticRelatedInformation(
                types.Location(
                    server.uri_of_target(entry.target),
                    line_range(entry.line, code.document if code else None, server.documents.encoding),
                ),
                "在此处引发" if server.language == "zh" else "raised here",
            )
        ]
    return diagnostic


def _entry(server: DetourServer, entry: Entry, where: types.Range) -> types.Diagnostic:
    incident = entry.incident
    message = server.cards.line_of(entry)
    if incident.count > 1:
        message += f" (×{incident.count})"
    return _diagnostic(
        server,
        incident.record,
        where,
        message,
        incident.level,
        {"key": entry.key, "record": incident.record},
    )


def _diagnostic(
    server: DetourServer,
    record_id: str,
    where: types.Range,
    message: str,
    severity: str,
    data: dict[str, Any],
    *,
    deprecated: bool = False,
) -> types.Diagnostic:
    record = server.knowledge.records[record_id] if server.knowledge else None
    href = record.official_doc_url if record else None
    abilities = server.abilities
    linked = abilities.code_description and href and href.startswith(("https://", "http://"))
    return types.Diagnostic(
        range=where,
        message=message,
        severity=_SEVERITIES.get(severity, types.DiagnosticSeverity.Warning),
        code=record_id,
        code_description=types.CodeDescription(href) if linked and href else None,
        source=SOURCE,
        tags=[types.DiagnosticTag.Deprecated] if deprecated and abilities.diagnostic_tags else None,
        data=data if abilities.diagnostic_data else None,
    )


def incident_list(server: DetourServer) -> list[dict[str, Any]]:
    """All living incidents for the extension's tree view (documented in docs/protocol.md)."""
    assert server.knowledge is not None
    shapes: list[dict[str, Any]] = []
    for entry in server.store.shown():
        incident = entry.incident
        record = server.knowledge.records[incident.record]
        frame = incident.user_frame
        shapes.append(
            {
                "key": entry.key,
                "record": incident.record,
                "tier": incident.tier,
                "level": incident.level,
                "title": title_of(record, server.language),
                "message": incident.message,
                "file": incident.file,
                "uri": entry.source.uri,
                "line": incident.span.line,
                "ranks": list(incident.ranks),
                "count": incident.count,
                "source": {"kind": entry.source.kind, "name": entry.source.name},
                "frame": None
                if frame is None or entry.target is None
                else {"uri": server.uri_of_target(entry.target), "line": entry.line + 1, "function": frame.function},
                "fingerprint": incident.fingerprint,
            }
        )
    return shapes


def uri_for_path(path: str) -> str:
    """The URI that a source of text on disk has."""
    return path if path_of(path) else uri_of(path)
