"""Settings: nested or dotted, and a wrong one is named while the others count."""

from __future__ import annotations

from detour_lsp.workspace.settings import Settings, parse_settings


def test_nested_and_dotted_keys_are_the_same() -> None:
    nested, _ = parse_settings({"check": {"enable": False}, "logs": {"patterns": ["*.log"]}})
    dotted, _ = parse_settings({"check.enable": False, "logs.patterns": ["*.log"]})
    assert nested == dotted
    assert nested.check_enabled is False
    assert nested.follow == ("*.log",)


def test_a_wrong_value_is_named_and_its_default_used() -> None:
    settings, problems = parse_settings({"maxProblemsPerFile": -3, "ignore": ["a/b"], "codeLens.enable": "maybe"})
    assert settings.max_per_file == Settings().max_per_file
    assert settings.ignore == ("a/b",)
    assert settings.code_lens is True
    assert sorted(problem.split(":")[0] for problem in problems) == [
        "detour.codeLens.enable",
        "detour.maxProblemsPerFile",
    ]


def test_nothing_and_nonsense() -> None:
    assert parse_settings(None) == (Settings(), [])
    assert parse_settings({"unknown": 1, "knowledge": None}) == (Settings(), [])
    settings, problems = parse_settings([1])
    assert settings == Settings()
    assert "must be an object" in problems[0]
