# ruff: noqa: E501 (a case reads best on one line)
"""One `set` selector finds the setting in every spelling, and nothing that only looks like it."""

from __future__ import annotations

import pytest
from source_rules import LIMIT, SUPPRESS, checker, expect

LIMITS = checker(*LIMIT)
ERRORS = checker(*SUPPRESS)

BAD = {
    "dotted": "import torch\ntorch._dynamo.config.recompile_limit = 0  # bad\n",
    "import of the submodule": "import torch._dynamo\ntorch._dynamo.config.cache_size_limit = -1  # bad\n",
    "import as": "import torch._dynamo.config as c\nc.recompile_limit = 0  # bad\n",
    "from import": "from torch._dynamo import config\nconfig.recompile_limit = 0  # bad\n",
    "from import as": "from torch._dynamo import config as dc\ndc.recompile_limit = 0  # bad\n",
    "import torch as": "import torch as th\nth._dynamo.config.recompile_limit = 0  # bad\n",
    "import in a function": "def f():\n    import torch._dynamo as d\n    d.config.recompile_limit = 0  # bad\n",
    "import in a try": "try:\n    import torch\nexcept ImportError:\n    torch = None\ntorch._dynamo.config.recompile_limit = 0  # bad\n",
    "conditional import": "if 1:\n    import torch\nelse:\n    torch = None\ndef f():\n    torch._dynamo.config.recompile_limit = 0  # bad\n",
    "module given to a name": "import torch\ncfg = torch._dynamo.config\ncfg.recompile_limit = 0  # bad\n",
    "two names": "import torch\nd = torch._dynamo\nc = d.config\nc.cache_size_limit = 0  # bad\n",
    "setattr": 'import torch\nsetattr(torch._dynamo.config, "recompile_limit", 0)  # bad\n',
    "setattr with a constant name": 'import torch\nKEY = "recompile_limit"\nsetattr(torch._dynamo.config, KEY, 0)  # bad\n',
    "setattr in a loop over names": 'import torch\nfor k in ("recompile_limit", "cache_size_limit"):\n    setattr(torch._dynamo.config, k, 0)  # bad\n',
    "setattr over a constant tuple": 'import torch\nKEYS = ["recompile_limit"]\nfor k in KEYS:\n    setattr(torch._dynamo.config, k, 0)  # bad\n',
    "setattr over items": 'import torch\nfor k, v in {"verbose": True, "recompile_limit": 0}.items():\n    setattr(torch._dynamo.config, k, v)  # bad\n',
    "setattr over named items": 'import torch\nS = {"recompile_limit": 0}\nfor k, v in S.items():\n    setattr(torch._dynamo.config, k, v)  # bad\n',
    "setattr over pairs": 'import torch\nfor k, v in [("recompile_limit", -1), ("verbose", True)]:\n    setattr(torch._dynamo.config, k, v)  # bad\n',
    "__setattr__": 'import torch\ntorch._dynamo.config.__setattr__("recompile_limit", 0)  # bad\n',
    "__dict__": 'import torch\ntorch._dynamo.config.__dict__["recompile_limit"] = 0  # bad\n',
    "tuple": "import torch\na, torch._dynamo.config.recompile_limit = 1, 0  # bad\n",
    "tuple in brackets": "import torch\n(torch._dynamo.config.recompile_limit, b) = (0, 1)  # bad\n",
    "chained": "import torch\nx = torch._dynamo.config.recompile_limit = 0  # bad\n",
    "chained the other way": "import torch\ntorch._dynamo.config.recompile_limit = x = 0  # bad\n",
    "annotated": "import torch\ntorch._dynamo.config.recompile_limit: int = 0  # bad\n",
    "patch keyword": "import torch\nwith torch._dynamo.config.patch(recompile_limit=0):  # bad\n    pass\n",
    "patch dictionary": 'import torch\nwith torch._dynamo.config.patch({"recompile_limit": 0}):  # bad\n    pass\n',
    "patch two arguments": 'import torch\nwith torch._dynamo.config.patch("recompile_limit", 0):  # bad\n    pass\n',
    "patch decorator": "from torch._dynamo import config\n@config.patch(recompile_limit=0)  # bad\ndef f(): pass\n",
    "patch as a call": "import torch\nctx = torch._dynamo.config.patch(recompile_limit=0)  # bad\n",
    "patch with a literal **": 'import torch\nwith torch._dynamo.config.patch(**{"recompile_limit": 0}):  # bad\n    pass\n',
    "patch with a named **": "import torch\nKW = dict(recompile_limit=0)\nwith torch._dynamo.config.patch(**KW):  # bad\n    pass\n",
    "patch with a named dict": 'import torch\nKW = {"recompile_limit": 0}\nwith torch._dynamo.config.patch(KW):  # bad\n    pass\n',
    "patch imported": "from torch._dynamo.config import patch\nwith patch(cache_size_limit=0):  # bad\n    pass\n",
    "patch over several lines": "import torch\nwith torch._dynamo.config.patch(\n    suppress_errors=False,\n    recompile_limit=0,  # bad\n):\n    pass\n",
    "constant through a name": "import torch\nLIMIT = 0\ntorch._dynamo.config.recompile_limit = LIMIT  # bad\n",
    "arithmetic": "import torch\ntorch._dynamo.config.recompile_limit = 2 ** 20  # bad\n",
    "shift": "import torch\ntorch._dynamo.config.recompile_limit = 1 << 30  # bad\n",
    "underscores": "import torch\ntorch._dynamo.config.recompile_limit = 1_000_000  # bad\n",
    "float": "import torch\ntorch._dynamo.config.recompile_limit = 1e6  # bad\n",
    "int of float": "import torch\ntorch._dynamo.config.recompile_limit = int(1e9)  # bad\n",
    "infinity": 'import torch\ntorch._dynamo.config.recompile_limit = float("inf")  # bad\n',
    "math.inf": "import math, torch\ntorch._dynamo.config.recompile_limit = math.inf  # bad\n",
    "maxsize": "import sys\nimport torch\ntorch._dynamo.config.recompile_limit = sys.maxsize  # bad\n",
    "from sys import maxsize": "from sys import maxsize\nimport torch\ntorch._dynamo.config.recompile_limit = maxsize  # bad\n",
    "hexadecimal": "import torch\ntorch._dynamo.config.recompile_limit = 0xFFFFFFFF  # bad\n",
    "minus": "import torch\ntorch._dynamo.config.recompile_limit = -(3)  # bad\n",
    "False is 0": "import torch\ntorch._dynamo.config.recompile_limit = False  # bad\n",
    "walrus": "import torch\ntorch._dynamo.config.recompile_limit = (n := 0)  # bad\n",
    "augmented": "import torch\ntorch._dynamo.config.recompile_limit *= 0  # bad\n",
    "conditional with equal arms": "import torch\ntorch._dynamo.config.recompile_limit = 0 if x else 0  # bad\n",
    "getattr chain": 'import torch\ngetattr(torch, "_dynamo").config.recompile_limit = 0  # bad\n',
    "import_module": 'import importlib\nc = importlib.import_module("torch._dynamo.config")\nc.recompile_limit = 0  # bad\n',
    "sys.modules": 'import sys\nsys.modules["torch._dynamo.config"].recompile_limit = 0  # bad\n',
    "behind hasattr": 'import torch\nif hasattr(torch, "_dynamo"):\n    torch._dynamo.config.cache_size_limit = 0  # bad\n',
    "semicolon": "import torch; torch._dynamo.config.recompile_limit = 0  # bad\n",
    "one-line if": "import torch\nif x: torch._dynamo.config.recompile_limit = 0  # bad\n",
    "in a class body": "import torch\nclass C:\n    torch._dynamo.config.recompile_limit = 0  # bad\n",
    "in a method": "import torch\nclass C:\n    def f(self):\n        torch._dynamo.config.recompile_limit = 0  # bad\n",
    "without an import": "torch._dynamo.config.recompile_limit = 0  # bad\n",
    "star import beside": "from utils import *\nimport torch\ntorch._dynamo.config.recompile_limit = 0  # bad\n",
    "global": "import torch\ndef f():\n    global torch\n    torch._dynamo.config.recompile_limit = 0  # bad\n",
    "lambda setattr": 'import torch\nf = lambda: setattr(torch._dynamo.config, "recompile_limit", 0)  # bad\n',
    "partial of setattr": 'import functools, torch\nf = functools.partial(setattr, torch._dynamo.config, "recompile_limit", 0)  # bad\n',
    "main guard": 'import torch\nif __name__ == "__main__":\n    torch._dynamo.config.recompile_limit = 0  # bad\n',
    "crlf": "import torch\r\ntorch._dynamo.config.recompile_limit = 0  # bad\r\n",
    "tabs and unicode": "import torch\ndef f():\n\tприм = '字'; torch._dynamo.config.recompile_limit = 0  # bad\n",
    "byte order mark": "\ufeffimport torch\ntorch._dynamo.config.recompile_limit = 0  # bad\n",
}

GOOD = {
    "ordinary value": "import torch\ntorch._dynamo.config.recompile_limit = 64\n",
    "unknown value": "import torch\ndef f(args):\n    torch._dynamo.config.recompile_limit = args.limit\n",
    "maximum with the present value": "import torch\ntorch._dynamo.config.recompile_limit = max(torch._dynamo.config.recompile_limit, 0)\n",
    "parameter default": "import torch\ndef f(n=0):\n    torch._dynamo.config.recompile_limit = n\n",
    "two possible values": "import torch\nn = 0\nif x:\n    n = 64\ntorch._dynamo.config.recompile_limit = n\n",
    "changed later": "import torch\nN = 0\ndef f():\n    torch._dynamo.config.recompile_limit = N\nN = 64\n",
    "counted": "import torch\nn = 0\nfor x in y:\n    n += 1\ntorch._dynamo.config.recompile_limit = n\n",
    "loop variable": "import torch\nfor n in range(3):\n    torch._dynamo.config.recompile_limit = n\n",
    "comparison": "import torch\nassert torch._dynamo.config.recompile_limit == 0\n",
    "read": "import torch\nx = torch._dynamo.config.recompile_limit\nprint(x, 0)\n",
    "comment": "import torch\n# torch._dynamo.config.recompile_limit = 0\n",
    "docstring": 'import torch\ndef f():\n    """torch._dynamo.config.recompile_limit = 0"""\n',
    "string": 'import torch\nCODE = """\nimport torch\ntorch._dynamo.config.recompile_limit = 0\n"""\n',
    "another config": "from app import config\nconfig.recompile_limit = 0\n",
    "dataclass field": "class C:\n    recompile_limit: int = 0\n\n    def f(self):\n        self.recompile_limit = 0\n",
    "parameter called torch": "import torch\ndef f(torch):\n    torch._dynamo.config.recompile_limit = 0\n",
    "parameter called config": "from torch._dynamo import config\ndef f(config):\n    config.recompile_limit = 0\n",
    "keyword-only parameter": "from torch._dynamo import config\ndef f(*, config=None):\n    config.recompile_limit = 0\n",
    "local called config": "from torch._dynamo import config\ndef f():\n    config = Config()\n    config.recompile_limit = 0\n",
    "loop target called config": "from torch._dynamo import config\nfor config in configs:\n    config.recompile_limit = 0\n",
    "with target": "from torch._dynamo import config\nwith open_config() as config:\n    config.recompile_limit = 0\n",
    "except target": "from torch._dynamo import config\ntry:\n    pass\nexcept E as config:\n    config.recompile_limit = 0\n",
    "lambda parameter": 'from torch._dynamo import config\nf = lambda config: setattr(config, "recompile_limit", 0)\n',
    "comprehension target": 'from torch._dynamo import config\n[setattr(config, "recompile_limit", 0) for config in cs]\n',
    "rebound module": "import torch\ntorch = fake()\ntorch._dynamo.config.recompile_limit = 0\n",
    "rebound for functions": "import torch\ndef f():\n    torch._dynamo.config.recompile_limit = 0\ntorch = fake()\n",
    "nonlocal": "import torch\ndef f():\n    torch = g()\n    def h():\n        nonlocal torch\n        torch._dynamo.config.recompile_limit = 0\n",
    "match capture": "from torch._dynamo import config\nmatch x:\n    case {'a': config}:\n        config.recompile_limit = 0\n",
    "class scope is not seen by methods": "class C:\n    from torch._dynamo import config\n    def f(self, x):\n        cfg.recompile_limit = 0\n",
    "put back": "import torch\ndef f():\n    old = torch._dynamo.config.recompile_limit\n    torch._dynamo.config.recompile_limit = 0\n    g()\n    torch._dynamo.config.recompile_limit = old\n",
    "put back in finally": "import torch\ndef f():\n    old = torch._dynamo.config.recompile_limit\n    try:\n        torch._dynamo.config.recompile_limit = 0\n        g()\n    finally:\n        torch._dynamo.config.recompile_limit = old\n",
    "put back with setattr": 'import torch\ndef f():\n    torch._dynamo.config.recompile_limit = 0\n    g()\n    setattr(torch._dynamo.config, "recompile_limit", 8)\n',
    "put back around a yield": "import torch\n@contextmanager\ndef f():\n    c = torch._dynamo.config\n    old, c.recompile_limit = c.recompile_limit, 0\n    yield\n    c.recompile_limit = old\n",
    "patched in a test": "import torch\ndef test_it():\n    with torch._dynamo.config.patch(recompile_limit=0):\n        pass\n",
    "patched by a test's decorator": "import torch\nclass TestIt:\n    @torch._dynamo.config.patch(recompile_limit=0)\n    def test_it(self): pass\n",
    "patch of something else": "import other\nwith other.config.patch(recompile_limit=0):\n    pass\n",
    "relative import": "from .torch._dynamo import config\nconfig.recompile_limit = 0\n",
    "keyword of another call": "import torch\nf(recompile_limit=0)\n",
    "unknown mapping": "import torch\ndef f(kw):\n    with torch._dynamo.config.patch(**kw, suppress_errors=False):\n        pass\n",
    "setattr over healthy items": 'import torch\nfor k, v in {"verbose": 0, "recompile_limit": 64}.items():\n    setattr(torch._dynamo.config, k, v)\n',
    "huge power": "import torch\ntorch._dynamo.config.recompile_limit = 9**9**9**9\n",
    "string value": 'import torch\ntorch._dynamo.config.recompile_limit = "0"\n',
    "None": "import torch\ntorch._dynamo.config.recompile_limit = None\n",
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_limit_is_found(name: str) -> None:
    expect(LIMITS, BAD[name])


@pytest.mark.parametrize("name", GOOD)
def test_what_is_not_certain_is_no_finding(name: str) -> None:
    assert "# bad" not in GOOD[name]
    expect(LIMITS, GOOD[name])


@pytest.mark.parametrize(
    "text",
    [
        "import torch\ntorch._dynamo.config.suppress_errors = True  # bad\n",
        "import torch\ntorch._dynamo.config.suppress_errors = 1  # bad\n",
        "import torch\ntorch._dynamo.config.suppress_errors = not False  # bad\n",
        "import torch\ntorch._dynamo.config.suppress_errors |= True  # bad\n",
        "import torch\ndef f(debug, ignore):\n    if not debug and ignore:\n        torch._dynamo.config.suppress_errors = True  # bad\n",
        "import torch\ntry:\n    torch._dynamo.config.suppress_errors = True  # bad\nexcept AttributeError:\n    pass\n",
        "import torch\ntorch._dynamo.config.suppress_errors = False\n",
        "import torch\ndef f(args):\n    torch._dynamo.config.suppress_errors = args.suppress_errors\n",
        "import torch\ndef f(args):\n    torch._dynamo.config.suppress_errors = not args.strict\n",
        "import torch, os\ntorch._dynamo.config.suppress_errors = os.environ.get('S') == '1'\n",
    ],
)
def test_switches(text: str) -> None:
    expect(ERRORS, text)


def test_the_place_of_a_finding_is_the_assignment() -> None:
    text = "import torch\nüx = 1; torch._dynamo.config.recompile_limit = 0  # bad\n"
    (finding,) = LIMITS.check(text, "a.py")
    assert text[finding.start : finding.end] == "torch._dynamo.config.recompile_limit = 0"
    assert (finding.line, finding.column, finding.end_line, finding.end_column) == (2, 9, 2, 49)
    assert (finding.record, finding.dead_end, finding.severity) == ("pytorch/test-record", 0, "warning")
    assert finding.message == "do it: It does not help."


def test_fingerprints_survive_moved_lines_and_tell_repeats_apart() -> None:
    text = "import torch\ntorch._dynamo.config.recompile_limit = 0\ntorch._dynamo.config.recompile_limit = 0\n"
    one, two = (finding.fingerprint for finding in LIMITS.check(text, "a.py"))
    assert one != two
    moved = [finding.fingerprint for finding in LIMITS.check("\n\nx = 1\n" + text, "a.py")]
    assert moved == [one, two]
