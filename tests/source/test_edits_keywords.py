"""`set_keyword`, `remove_keyword`, `replace_value` in every spelling of a call."""

from __future__ import annotations

import pytest
from repairing import planned, repaired

SET = {"edit": "set_keyword", "at": {"call": "torch.compile", "which": "first"}, "name": "dynamic", "value": "True"}
REMOVE = {"edit": "remove_keyword", "at": {"call": "torch.compile"}, "name": "dynamic", "value": {"is": False}}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("m = torch.compile(net)\n", "m = torch.compile(net, dynamic=True)\n"),
        ("m = torch.compile(net,)\n", "m = torch.compile(net, dynamic=True,)\n"),
        ("m = torch.compile(net, dynamic=False)\n", "m = torch.compile(net, dynamic=True)\n"),
        ("m = torch.compile(net, dynamic=False, mode='a')\n", "m = torch.compile(net, dynamic=True, mode='a')\n"),
        ("f = torch.compile(mode='x')(g)\n", "f = torch.compile(mode='x', dynamic=True)(g)\n"),
        ("f = torch.compile()(g)\n", "f = torch.compile(dynamic=True)(g)\n"),
        ("@torch.compile\ndef f(x):\n    return x\n", "@torch.compile(dynamic=True)\ndef f(x):\n    return x\n"),
        ("@torch.compile()\ndef f(x): return x\n", "@torch.compile(dynamic=True)\ndef f(x): return x\n"),
        (
            "@torch.compile(backend='eager')  # why\ndef f(x): return x\n",
            "@torch.compile(backend='eager', dynamic=True)  # why\ndef f(x): return x\n",
        ),
        ("from functools import partial\nc = partial(torch.compile, mode='a')\n",
         "from functools import partial\nc = partial(torch.compile, mode='a', dynamic=True)\n"),
        ("from functools import partial\nc = partial(torch.compile)\n",
         "from functools import partial\nc = partial(torch.compile, dynamic=True)\n"),
        ("net = torch.nn.Linear(1, 2)\nnet.compile()\n", "net = torch.nn.Linear(1, 2)\nnet.compile(dynamic=True)\n"),
        ("net.compile(fullgraph=True)\n", "net.compile(fullgraph=True, dynamic=True)\n"),
        ("kw = {'dynamic': False}\nm = torch.compile(net, **kw)\n",
         "kw = {'dynamic': True}\nm = torch.compile(net, **kw)\n"),
        ("kw = {'mode': 'a'}\nm = torch.compile(net, **kw)\n",
         "kw = {'mode': 'a'}\nm = torch.compile(net, **kw, dynamic=True)\n"),
        ("m = torch.compile(net, **{'dynamic': False})\n", "m = torch.compile(net, **{'dynamic': True})\n"),
        (
            "m = torch.compile(\n    net,  # the net\n    mode='a',  # fast\n)\n",
            "m = torch.compile(\n    net,  # the net\n    mode='a',  # fast\n    dynamic=True,\n)\n",
        ),
        (
            "m = torch.compile(\n\tnet,\n\tmode='a'  # fast\n\t# end\n)\n",
            "m = torch.compile(\n\tnet,\n\tmode='a',  # fast\n\tdynamic=True\n\t# end\n)\n",
        ),
        ("m = torch.compile(net,\n                  mode='a')\n",
         "m = torch.compile(net,\n                  mode='a', dynamic=True)\n"),
        ("m = torch.compile(  # why\n)\n", "m = torch.compile(dynamic=True  # why\n)\n"),
        ("m = torch.compile(x for x in y)\n", "m = torch.compile((x for x in y), dynamic=True)\n"),
        ("m = torch.compile(lambda x: x)\n", "m = torch.compile(lambda x: x, dynamic=True)\n"),
        ("名 = '模型'; m = torch.compile(名)\r\n", "名 = '模型'; m = torch.compile(名, dynamic=True)\r\n"),
        ("m = torch.compile(net)", "m = torch.compile(net, dynamic=True)"),
    ],
)  # fmt: skip
def test_set_keyword(before: str, after: str) -> None:
    ending = "\r\n" if "\r\n" in before else "\n"
    assert repaired(f"import torch{ending}{before}", SET) == f"import torch{ending}{after}"


def test_names_as_the_file_imports_them() -> None:
    assert (
        repaired("import torch as t\nm = t.compile(n)\n", SET) == "import torch as t\nm = t.compile(n, dynamic=True)\n"
    )
    assert (
        repaired("from torch import compile as c\nm = c(n)\n", SET)
        == "from torch import compile as c\nm = c(n, dynamic=True)\n"
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("def f(**kw):\n    return torch.compile(net, **kw)\n", "**kw"),
        ("def f(kw):\n    kw['mode'] = 'default'\n    return torch.compile(net, **kw)\n", "**kw"),
        ("kw = {}\nkw['dynamic'] = True\nm = torch.compile(net, **kw)\n", "already"),
        ("m = compile(net)\n", "no torch.compile"),
        ("m = torch.compile(net, dynamic=True)\n", "already"),
    ],
)
def test_set_keyword_refused(text: str, reason: str) -> None:
    assert reason in planned(f"import torch\n{text}", [SET]).disabled


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("m = torch.compile(net, dynamic=False)\n", "m = torch.compile(net)\n"),
        ("m = torch.compile(net, dynamic=False,)\n", "m = torch.compile(net,)\n"),
        ("m = torch.compile(net, dynamic=False, mode='a')\n", "m = torch.compile(net, mode='a')\n"),
        ("@torch.compile(dynamic=False)\ndef f(x): return x\n", "@torch.compile()\ndef f(x): return x\n"),
        ("m = torch.compile(\n    net,\n    dynamic=False,  # no\n    mode='a',\n)\n",
         "m = torch.compile(\n    net,\n    mode='a',\n)\n"),
        ("m = torch.compile(\n    net,  # net\n    dynamic=False\n)\n", "m = torch.compile(\n    net,  # net\n)\n"),
        ("m = torch.compile(net,  # net\n                  dynamic=False)\n",
         "m = torch.compile(net,  # net\n                  )\n"),
        ("kw = {'mode': 'a', 'dynamic': False}\nm = torch.compile(net, **kw)\n",
         "kw = {'mode': 'a'}\nm = torch.compile(net, **kw)\n"),
    ],
)  # fmt: skip
def test_remove_keyword(before: str, after: str) -> None:
    assert repaired(f"import torch\n{before}", REMOVE) == f"import torch\n{after}"


def test_remove_keyword_only_of_that_value() -> None:
    assert "not the value at fault" in planned("import torch\nm = torch.compile(n, dynamic=flag)\n", [REMOVE]).disabled
    assert "already" in planned("import torch\nm = torch.compile(n)\n", [REMOVE]).disabled


def test_replace_value() -> None:
    backend = {
        "edit": "replace_value",
        "at": {"call": "torch.compile"},
        "keyword": "backend",
        "closest": ["inductor", "eager", "aot_eager"],
    }
    text = "import torch\nm = torch.compile(n, backend='indcutor')\n"
    assert repaired(text, backend) == "import torch\nm = torch.compile(n, backend='inductor')\n"
    assert "spelt" in planned("import torch\nm = torch.compile(n, backend='xla')\n", [backend]).disabled
    nccl = {
        "edit": "replace_value", "at": {"call": "torch.distributed.init_process_group"},
        "argument": 0, "keyword": "backend",
        "value": '"nccl" if torch.cuda.is_available() else "gloo"',
    }  # fmt: skip
    text = "import torch.distributed as dist\ndist.init_process_group('nccl', rank=0)\n"
    assert repaired(text, nccl) == (
        "import torch\nimport torch.distributed as dist\n"
        'dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo", rank=0)\n'
    )
    limit = {"edit": "replace_value", "at": {"set": "torch._dynamo.config.recompile_limit"}, "value": "{limit*2}"}
    text = "import torch._dynamo.config as c\nc.recompile_limit = 16  # enough\n"
    assert (
        repaired(text, limit, captures={"limit": "16"})
        == "import torch._dynamo.config as c\nc.recompile_limit = 32  # enough\n"
    )
    text = "from torch._dynamo.config import patch\n@patch(recompile_limit=16)\ndef f(): pass\n"
    assert "patch(recompile_limit=32)" in repaired(text, limit, captures={"limit": "16"})
