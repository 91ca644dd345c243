"""The knowledge base: list, show, check, verify, new, docs, import."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from detour_lsp.cli.kb_verify import add_arguments as add_verify_arguments
from detour_lsp.cli.knowledge_options import add_knowledge_arguments, open_from_options
from detour_lsp.cli.main import NOTHING_FOUND, SOMETHING_FOUND, WRONG_USE

TIERS = ("ai_generated", "documented", "reproduced", "proven")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the actions of `detour kb`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    listing = actions.add_parser("list", help="all records with their tiers")
    listing.add_argument("--format", choices=("text", "json"), default="text")
    listing.add_argument("--tier", choices=TIERS, help="only records of this tier")
    add_knowledge_arguments(listing)

    show = actions.add_parser("show", help="one record, whole")
    show.add_argument("id", metavar="ID")
    show.add_argument("--format", choices=("text", "json"), default="text")
    show.add_argument("--language", choices=("en", "zh"), default=None)
    add_knowledge_arguments(show)

    check = actions.add_parser("check", help="what is wrong with the records")
    check.add_argument("ids", nargs="*", metavar="ID")
    check.add_argument("--format", choices=("text", "json"), default="text")
    add_knowledge_arguments(check)

    verify = actions.add_parser("verify", help="run the programs of records under real torch and repair them")
    add_verify_arguments(verify)

    new = actions.add_parser("new", help="make the folder of a new record")
    new.add_argument("id", metavar="ID", help="such as pytorch/view-not-contiguous")
    new.add_argument("--into", metavar="DIR", type=Path, help="where records lie (default: seeds/ here)")

    docs = actions.add_parser("docs", help="write a page per record and an index")
    docs.add_argument("--into", metavar="DIR", type=Path, default=Path("docs/records"))
    docs.add_argument("--check", action="store_true", help="write nothing; fail when a page is stale")
    add_knowledge_arguments(docs)

    imports = actions.add_parser("import", help="turn foreign records into folders of ours")
    imports.add_argument("source", metavar="PATH", help="a folder, file or installed package of records")
    imports.add_argument("--into", metavar="DIR", type=Path, required=True)


def run(options: argparse.Namespace) -> int:
    """Carry out `detour kb ACTION`."""
    return int(_ACTIONS[options.action](options))


def _list(options: argparse.Namespace) -> int:
    from detour_lsp.card import title_of

    knowledge = open_from_options(options, Path.cwd())
    records = [r for _, r in sorted(knowledge.records.items()) if options.tier in (None, r.verification_tier)]
    if options.format == "json":
        rows = [
            {
                "id": record.id,
                "title": title_of(record),
                "tier": record.verification_tier,
                "signatures": len(record.signatures) or 1,
                "repairs": sum(bool(w.repair and w.repair.edits) for w in record.workarounds),
            }
            for record in records
        ]
        sys.stdout.write(json.dumps({"version": 1, "records": rows}, ensure_ascii=False, indent=1) + "\n")
        return NOTHING_FOUND
    from detour_lsp.cli.terminal import Painter

    painter = Painter(sys.stdout)
    width = max((len(record.id) for record in records), default=0)
    for record in records:
        tier = f"{record.verification_tier:12}"
        painter.line(f"{painter.paint(record.id.ljust(width), 'cyan')}  {tier}  {title_of(record)}")
    painter.line(f"{len(records)} records.")
    return NOTHING_FOUND


def _show(options: argparse.Namespace) -> int:
    from detour_lsp.card import CardContext, compose_card
    from detour_lsp.card.labels import language_of
    from detour_lsp.cli.locale import user_locale
    from detour_lsp.cli.terminal import print_markdown

    knowledge = open_from_options(options, Path.cwd())
    record = knowledge.records.get(options.id)
    if record is None:
        return _unknown(options.id, knowledge.records)
    if options.format == "json":
        origin = Path(record.origin)
        if origin.is_file():
            sys.stdout.write(origin.read_text(encoding="utf-8"))
            return NOTHING_FOUND
        sys.stderr.write(f"detour kb show: {options.id} does not come from a file of its own\n")
        return WRONG_USE
    language = options.language or language_of(user_locale())
    print_markdown(compose_card(record, CardContext(language=language)))
    return NOTHING_FOUND


def _unknown(record_id: str, records: object) -> int:
    from difflib import get_close_matches

    near = get_close_matches(record_id, list(records), 3, 0.5)  # type: ignore[call-overload]
    hint = f"; did you mean {', '.join(near)}?" if near else "; `detour kb list` lists all"
    sys.stderr.write(f"detour kb: no record {record_id!r}{hint}\n")
    return WRONG_USE


def _check(options: argparse.Namespace) -> int:
    from detour_lsp.proof.consistency import check_records

    knowledge = open_from_options(options)
    for record_id in options.ids:
        if record_id not in knowledge.records:
            return _unknown(record_id, knowledge.records)
    problems = check_records(knowledge, options.ids)
    if options.format == "json":
        rows = [{"file": p.file, "key": p.key, "reason": p.reason} for p in problems]
        sys.stdout.write(json.dumps({"version": 1, "problems": rows}, ensure_ascii=False, indent=1) + "\n")
    else:
        for problem in problems:
            sys.stdout.write(f"{problem}\n")
        count = len(options.ids) or len(knowledge.records)
        sys.stdout.write(f"{count} records checked, {len(problems)} problems.\n")
    return SOMETHING_FOUND if problems else NOTHING_FOUND


def _verify(options: argparse.Namespace) -> int:
    from detour_lsp.cli.kb_verify import run_verify

    return run_verify(options)


def _new(options: argparse.Namespace) -> int:
    from detour_lsp.knowledge.scaffold import ScaffoldError, new_record

    seeds = options.into or Path("seeds")
    if options.into is None and not seeds.is_dir():
        sys.stderr.write("detour kb new: no folder seeds/ here; name one with --into DIR\n")
        return WRONG_USE
    try:
        files = new_record(options.id, seeds)
    except ScaffoldError as error:
        sys.stderr.write(f"detour kb new: {error}\n")
        return WRONG_USE
    sys.stdout.write("".join(f"{file}\n" for file in files))
    from detour_lsp.knowledge.loading import builtin_seeds

    # Records that lie elsewhere than Detour's own are only seen when they are named.
    elsewhere = "" if seeds.resolve() == builtin_seeds().resolve() else f" --kb {seeds}"
    sys.stdout.write(f"Fill in every TODO, then run: detour kb check{elsewhere} {options.id}\n")
    return NOTHING_FOUND


def _docs(options: argparse.Namespace) -> int:
    from detour_lsp.card.page import index_page, record_page

    knowledge = open_from_options(options)
    pages = {options.into / "README.md": index_page(list(knowledge.records.values()))}
    for record in knowledge.records.values():
        pages[options.into / f"{record.id}.md"] = record_page(record)
    stale = [path for path, text in pages.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    orphans = sorted(set(options.into.rglob("*.md")) - set(pages)) if options.into.is_dir() else []
    if options.check:
        for path in [*stale, *orphans]:
            sys.stdout.write(f"{path}: stale\n")
        if stale or orphans:
            sys.stdout.write("Run `detour kb docs` and commit the pages.\n")
        return SOMETHING_FOUND if stale or orphans else NOTHING_FOUND
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(pages[path], encoding="utf-8")
    for path in orphans:
        path.unlink()
    sys.stdout.write(f"{len(pages)} pages, {len(stale)} written, {len(orphans)} removed.\n")
    return NOTHING_FOUND


def _import(options: argparse.Namespace) -> int:
    from detour_lsp.knowledge.exporting import write_records
    from detour_lsp.knowledge.loading import load

    knowledge = load([options.source], builtin=False)
    for problem in knowledge.problems:
        sys.stderr.write(f"detour kb import: skipped: {problem}\n")
    written = write_records(knowledge.records.values(), options.into)
    sys.stdout.write(f"{written} records written to {options.into}, {len(knowledge.problems)} problems.\n")
    return NOTHING_FOUND if knowledge.records else SOMETHING_FOUND


_ACTIONS = {
    "list": _list,
    "show": _show,
    "check": _check,
    "verify": _verify,
    "new": _new,
    "docs": _docs,
    "import": _import,
}
