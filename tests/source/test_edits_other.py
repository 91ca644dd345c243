"""Every edit but those of keywords, in the layouts that people write."""

from __future__ import annotations

import pytest
from repairing import planned, repaired

NO_GRAD = {"edit": "wrap_statement", "at": "frame", "header": "with torch.no_grad():"}


def limit(where: str = "after_import", code: str = "torch._dynamo.config.recompile_limit = 64") -> dict[str, object]:
    return {"edit": "insert_statement", "at": "frame", "where": where, "code": code}


# -- calls -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("y = torch.tensor(x)\n", "y = x.clone().detach()\n"),
        ("y = torch.tensor(a + b)\n", "y = (a + b).clone().detach()\n"),
        ("y = 2 * torch.tensor(a)\n", "y = 2 * a.clone().detach()\n"),
        ("f(torch.tensor(a if b else c), 1)\n", "f((a if b else c).clone().detach(), 1)\n"),
    ],
)
def test_replace_call_keeps_precedence(before: str, after: str) -> None:
    edit = {"edit": "replace_call", "at": {"call": "torch.tensor"}, "to": "{arg0}.clone().detach()"}
    assert repaired(f"import torch\n{before}", edit) == f"import torch\n{after}"


def test_replace_call_keeps_what_it_does_not_name() -> None:
    edit = {"edit": "replace_call", "at": {"call": "torch.tensor"}, "to": "{arg0}.clone().detach()"}
    auto = {"edit": "replace_call", "at": {"call": "torch.export.Dim"}, "to": "torch.export.Dim.AUTO"}
    assert (
        repaired('import torch\nd = torch.export.Dim("b", max=8)\n', auto)
        == "import torch\nd = torch.export.Dim.AUTO\n"
    )
    assert "also passes dtype" in planned("import torch\ny = torch.tensor(x, dtype=d)\n", [edit]).disabled
    amp = {
        "edit": "replace_call",
        "at": {"call": "torch.cuda.amp.autocast"},
        "to": 'torch.amp.autocast("cuda", {args})',
    }
    text = "from torch.cuda.amp import autocast\nwith autocast(enabled=e):\n    pass\n"
    assert repaired(text, amp) == 'import torch\nwith torch.amp.autocast("cuda", enabled=e):\n    pass\n'
    text = "import torch\nwith torch.cuda.amp.autocast():\n    pass\n"
    assert repaired(text, amp) == 'import torch\nwith torch.amp.autocast("cuda"):\n    pass\n'


def test_replace_call_with_a_map() -> None:
    edit = {
        "edit": "replace_call", "at": {"call": "torch.set_default_tensor_type"},
        "to": "torch.set_default_dtype({arg0})",
        "map": {"torch.DoubleTensor": "torch.float64"},
    }  # fmt: skip
    assert repaired("import torch as t\nt.set_default_tensor_type(t.DoubleTensor)\n", edit) == (
        "import torch as t\nt.set_default_dtype(t.float64)\n"
    )
    assert repaired("import torch\ntorch.set_default_tensor_type('torch.DoubleTensor')\n", edit) == (
        "import torch\ntorch.set_default_dtype(torch.float64)\n"
    )
    assert "no replacement" in planned("import torch\ntorch.set_default_tensor_type(x)\n", [edit]).disabled


def test_replace_call_unwraps() -> None:
    edit = {"edit": "replace_call", "at": {"call": "torch.compile", "scope": "frame"}, "to": "{arg0}"}
    text = 'import torch\nf(torch.compile(torch.nn.Linear(2, 2), backend="eager"))\n'
    assert repaired(text, edit, line=2) == "import torch\nf(torch.nn.Linear(2, 2))\n"


def test_replace_call_of_a_decorator() -> None:
    unwrap = {"edit": "replace_call", "at": {"call": "torch.jit.script"}, "to": "{arg0}"}
    text = "import torch as t\n\n@t.jit.script  # old\ndef f(x):\n    return x\n"
    assert repaired(text, unwrap) == "import torch as t\n\ndef f(x):\n    return x\n"
    other = {**unwrap, "to": "torch.compile({arg0})"}
    assert repaired(text, other) == text.replace("jit.script", "compile")
    text = "import torch\nf = torch.jit.script(g)\n"
    assert repaired(text, other) == "import torch\nf = torch.compile(g)\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("(a * 2).backward()\n", "(a * 2).sum().backward()\n"),
        ("loss.backward()\n", "loss.sum().backward()\n"),
        ("f(x).backward(retain_graph=True)\n", "f(x).sum().backward(retain_graph=True)\n"),
    ],
)
def test_append_call_to_the_receiver(before: str, after: str) -> None:
    edit = {"edit": "append_call", "at": {"call": ".backward", "scope": "frame", "receiver": True}, "call": ".sum()"}
    assert repaired(f"import torch\n{before}", edit, line=2) == f"import torch\n{after}"


def test_append_call_to_an_argument() -> None:
    edit = {
        "edit": "append_call", "call": ".float()",
        "at": {"call": "*", "receiver": {"call": "torch.nn.Linear"}, "scope": "frame", "argument": 0},
    }  # fmt: skip
    text = "import torch\nprint(torch.nn.Linear(4, 4)(x + y))\n"
    assert repaired(text, edit, line=2) == "import torch\nprint(torch.nn.Linear(4, 4)((x + y).float()))\n"
    text = (
        "from torch import nn\nclass N(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.fc = nn.Linear(4, 4)\n    def forward(self, x):\n        return self.act(self.fc(x))\n"
    )
    assert repaired(text, edit, line=7).endswith("return self.act(self.fc(x.float()))\n")


def test_replace_method() -> None:
    edit = {"edit": "replace_method", "at": {"call": ".view", "scope": "frame"}, "name": "view", "to": "reshape"}
    text = "import torch\ny = (x\n     .transpose(1, 2)\n     .view(2, 12))  # flat\n"
    assert repaired(text, edit, line=4) == text.replace(".view", ".reshape")


def test_wrap_expression() -> None:
    edit = {
        "edit": "wrap_expression", "before": "torch.nn.ModuleList(", "after": ")",
        "at": {"statement": r"self\.\w+ = \[", "right_side": True, "inside_class": "torch.nn.Module"},
    }  # fmt: skip
    text = (
        "from torch import nn\nclass N(nn.Module):\n    def __init__(self):\n        self.layers = [nn.Linear(1, 1)]\n"
    )
    assert repaired(text, edit) == text.replace("[nn.Linear(1, 1)]", "nn.ModuleList([nn.Linear(1, 1)])")


# -- statements ------------------------------------------------------------------------------------------------------

REMOVE = {"edit": "remove_statement", "at": {"set": "torch._dynamo.config.recompile_limit", "value": {"le": 0}}}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("# keep\ntorch._dynamo.config.recompile_limit = 0  # no limit\nx = 1\n", "# keep\nx = 1\n"),
        ("a = 1; torch._dynamo.config.recompile_limit = 0; b = 2  # c\n", "a = 1; b = 2  # c\n"),
        ("a = 1; torch._dynamo.config.recompile_limit = 0  # c\n", "a = 1  # c\n"),
        ("torch._dynamo.config.recompile_limit = 0; b = 2\n", "b = 2\n"),
        ("def f():\n\ttorch._dynamo.config.recompile_limit = 0  # no\n", "def f():\n\tpass\n"),
        ("if a: torch._dynamo.config.recompile_limit = 0\n", "if a: pass\n"),
        ("with torch._dynamo.config.patch(recompile_limit=0):\n    # run\n    f()\n    s = '''\n    x'''\n",
         "# run\nf()\ns = '''\n    x'''\n"),
        ("with torch._dynamo.config.patch(recompile_limit=0), g():\n    f()\n", "with g():\n    f()\n"),
        ("with torch._dynamo.config.patch(recompile_limit=0, disable=True):\n    f()\n",
         "with torch._dynamo.config.patch(disable=True):\n    f()\n"),
        ("@torch._dynamo.config.patch(recompile_limit=0)\ndef f(): pass\n", "def f(): pass\n"),
        ("setattr(torch._dynamo.config, 'recompile_limit', 0)\nx = 1\n", "x = 1\n"),
        ("x = 1\ntorch._dynamo.config.recompile_limit = 0", "x = 1\n"),
        ("torch._dynamo.config.recompile_limit = 0\r\nx = 1\r\n", "x = 1\r\n"),
        ("\ntorch._dynamo.config.recompile_limit = 0\n\n\ndef f(): pass\n", "\n\ndef f(): pass\n"),
        ("\n\ntorch._dynamo.config.recompile_limit = 0\n\nx = 1\n", "\n\nx = 1\n"),
        ("x = 1\ntorch._dynamo.config.recompile_limit = 0\n\ny = 2\n", "x = 1\n\ny = 2\n"),
    ],
)  # fmt: skip
def test_remove_statement(before: str, after: str) -> None:
    head = "import torch._dynamo" + ("\r\n" if "\r\n" in before else "\n")
    assert repaired(head + before, REMOVE) == head + after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("w[0] = 1.0\nprint(w)\n", "with torch.no_grad():\n    w[0] = 1.0\nprint(w)\n"),
        ("w[0] = f(\n    1,\n)  # set\n", "with torch.no_grad():\n    w[0] = f(\n        1,\n    )  # set\n"),
        ("s = '''\nkeep\n'''\n", "with torch.no_grad():\n    s = '''\nkeep\n'''\n"),
    ],
)
def test_wrap_statement(before: str, after: str) -> None:
    assert repaired(f"import torch\n{before}", NO_GRAD, line=2) == f"import torch\n{after}"


@pytest.mark.parametrize(
    "code",
    [
        "guard = torch.autograd.set_detect_anomaly(True)\nguard.__exit__()\n",
        "class A:\n    def f(self):\n        self.g = torch.autograd.set_detect_anomaly(True)\n"
        "        self.g.__exit__()\n",
        "run(torch.autograd.set_detect_anomaly(True))\n",
        "if torch.autograd.set_detect_anomaly(True):\n    f()\n",
    ],
)
def test_remove_statement_refused(code: str) -> None:
    edit = {"edit": "remove_statement", "at": {"call": "torch.autograd.set_detect_anomaly"}}
    assert planned(f"import torch\n{code}", [edit]).disabled


def test_wrap_statement_keeps_tabs_and_one_line_blocks() -> None:
    text = "import torch\ndef f(w):\n\tw.mul_(2)\n\treturn w\n"
    assert (
        repaired(text, NO_GRAD, line=3)
        == "import torch\ndef f(w):\n\twith torch.no_grad():\n\t\tw.mul_(2)\n\treturn w\n"
    )
    text = "import torch\ndef f(w): w.mul_(2)\n"
    edit = {**NO_GRAD, "at": {"call": ".mul_"}}
    assert repaired(text, edit) == "import torch\ndef f(w):\n    with torch.no_grad():\n        w.mul_(2)\n"


def test_wrap_statement_does_not_unbind() -> None:
    edit = {"edit": "wrap_statement", "at": "frame", "header": "if not torch.compiler.is_compiling():"}
    text = "import torch\nx = f()\nprint(x)\n"
    assert "missing" in planned(text, [edit], 2).disabled
    assert (
        repaired(text, edit, line=3) == "import torch\nx = f()\nif not torch.compiler.is_compiling():\n    print(x)\n"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("import torch\nx = 1\n", "import torch\ntorch._dynamo.config.recompile_limit = 64\nx = 1\n"),
        ("import torch\n\nx = 1\n", "import torch\n\ntorch._dynamo.config.recompile_limit = 64\n\nx = 1\n"),
        ("import torch as t\n\nx = 1\n", "import torch as t\n\nt._dynamo.config.recompile_limit = 64\n\nx = 1\n"),
        ('"""Doc."""\nx = 1\n', '"""Doc."""\nimport torch\ntorch._dynamo.config.recompile_limit = 64\nx = 1\n'),
        ("import torch\nfrom torch import nn\nx = 1\n",
         "import torch\nfrom torch import nn\ntorch._dynamo.config.recompile_limit = 64\nx = 1\n"),
        ("import torch\ntorch._dynamo.config.recompile_limit = 8\nx = 1\n",
         "import torch\ntorch._dynamo.config.recompile_limit = 64\nx = 1\n"),
        ("try:\n    import torch\nexcept ImportError:\n    torch = None\nx = 1\n",
         "try:\n    import torch\nexcept ImportError:\n    torch = None\n"
         "torch._dynamo.config.recompile_limit = 64\nx = 1\n"),
    ],
)  # fmt: skip
def test_insert_after_import(before: str, after: str) -> None:
    line = before.split("\n").index("x = 1") + 1
    assert repaired(before, limit(), line=line) == after


def test_insert_before_and_after() -> None:
    code = "torch.manual_seed(0)"
    text = "import torch\nif a:\n    f()  # go\n"
    assert (
        repaired(text, limit("before", code), line=3)
        == "import torch\nif a:\n    torch.manual_seed(0)\n    f()  # go\n"
    )
    assert (
        repaired(text, limit("after", code), line=3) == "import torch\nif a:\n    f()  # go\n    torch.manual_seed(0)\n"
    )
    text = "import torch\nif a: torch.seed()"
    edit = {**limit("before", code), "at": {"call": "torch.seed"}}
    assert repaired(text, edit) == "import torch\nif a: torch.manual_seed(0); torch.seed()"
    text = "import torch\nx = f()"
    assert repaired(text, limit("after", code), line=2) == "import torch\nx = f()\ntorch.manual_seed(0)"


def test_insert_first() -> None:
    code = "torch.manual_seed(0)"
    text = 'import torch\ndef f(x):\n    """Doc."""\n    return x\n'
    assert repaired(text, limit("first_in_function", code), line=4) == (
        'import torch\ndef f(x):\n    """Doc."""\n    torch.manual_seed(0)\n    return x\n'
    )
    text = (
        "import torch\nclass N(torch.nn.Module):\n    def __init__(self):\n"
        "        super().__init__()\n        self.a = 1\n"
    )
    assert repaired(text, {**limit("first_in_init", "self.b = 2"), "at": {"class": "torch.nn.Module"}}) == text.replace(
        "__init__()\n", "__init__()\n        self.b = 2\n"
    )


def test_insert_into_a_method_that_does_not_call_its_parent() -> None:
    edit = {
        "edit": "insert_statement", "where": "first_in_function", "code": "super().__init__()",
        "at": {"class": "torch.nn.Module", "missing_call": "super().__init__", "in": "__init__"},
    }  # fmt: skip
    text = "from torch import nn\nclass N(nn.Module):\n    def __init__(self):\n        self.a = nn.Linear(1, 1)\n"
    assert repaired(text, edit) == text.replace("        self.a", "        super().__init__()\n        self.a")


def test_bind_takes_names_from_the_code() -> None:
    edit = {
        "edit": "insert_statement", "at": {"call": ".backward", "which": "previous"}, "where": "before",
        "code": "{tensor}.retain_grad()", "bind": {"pattern": r"(?P<tensor>[\w.]+)\.grad\b"},
    }  # fmt: skip
    text = "import torch\ny = f(x)\ny.sum().backward()\nprint(y.grad)\n"
    assert repaired(text, edit, line=4, again=False) == text.replace("y.sum()", "y.retain_grad()\ny.sum()")


def test_replace_text() -> None:
    edit = {"edit": "replace_text", "at": {"env": "PYTORCH_CUDA_ALLOC_CONF"}, "pattern": r"(\w+)=(\d+)", "to": r"\1:\2"}
    text = 'import os\nos.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb=128"\n'
    assert repaired(text, edit) == text.replace("mb=128", "mb:128")
    edit = {"edit": "replace_text", "at": "frame", "pattern": r"\w+$|recompile_\w+", "closest": ["recompile_limit"]}
    text = "import torch\ntorch._dynamo.config.recompile_limt = 64\n"
    assert "recompile_limit = 64" in repaired(text, {**edit, "pattern": r"config\.(\w+)"}, line=2)
    edit = {
        "edit": "replace_text", "at": "frame", "pattern": r"""(["'])mps\1""",
        "to": r"\1mps\1 if torch.backends.mps.is_available() else \1cpu\1",
    }  # fmt: skip
    text = "import torch\ntorch.zeros(1, device='mps')\n"
    assert repaired(text, edit, line=2) == (
        "import torch\ntorch.zeros(1, device='mps' if torch.backends.mps.is_available() else 'cpu')\n"
    )


def test_replace_text_with_a_part_of_what_stands_there() -> None:
    edit = {"edit": "replace_text", "at": "frame", "pattern": r"\b(np|numpy)\.product\b", "to": r"\1.prod"}
    text = "import numpy as np\nx = np.product([1, 2])\n"
    assert repaired(text, edit, line=2) == text.replace("product", "prod")
    edit = {"edit": "replace_text", "at": "frame", "pattern": r"np\.trapz", "to": "np.prod"}
    assert "does not read as" in planned(text, [edit], line=2).disabled


def test_move_before_import() -> None:
    edit = {"edit": "move_before_import", "at": {"env": "KMP_AFFINITY"}, "package": "torch"}
    text = '"""Doc."""\nimport torch\nimport os\n\nos.environ["KMP_AFFINITY"] = "none"  # why\nx = 1\n'
    assert (
        repaired(text, edit)
        == '"""Doc."""\nimport os\nos.environ["KMP_AFFINITY"] = "none"  # why\nimport torch\n\nx = 1\n'
    )
    text = "import os, sys\nimport torch\nv = f()\nos.environ['KMP_AFFINITY'] = v\n"
    assert "uses v" in planned(text, [edit]).disabled


def test_move_statement() -> None:
    edit = {
        "edit": "move_statement",
        "at": {"statement": r"^sched\.step"},
        "where": "after",
        "to": {"statement": r"^opt\.step"},
    }
    text = "import torch\nfor i in x:\n    sched.step()  # lr\n    loss.backward()\n    opt.step()  # w\n"
    after = "import torch\nfor i in x:\n    loss.backward()\n    opt.step()  # w\n    sched.step()  # lr\n"
    assert repaired(text, edit) == after
    assert "already" in planned(after, [edit]).disabled
    text = "import torch\nsched.step()\nfor i in x:\n    opt.step()"
    assert repaired(text, edit) == "import torch\nfor i in x:\n    opt.step()\n    sched.step()"
    edit = {"edit": "move_statement", "at": {"statement": "^b"}, "where": "before", "to": {"statement": "^a"}}
    assert repaired("a = 1\nb = 2\n", edit) == "b = 2\na = 1\n"


# -- names and imports -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("import torch\ntorch.symeig(a)\n", "import torch\ntorch.linalg.eigh(a)\n"),
        ("import torch as t\nt.symeig(a)\n", "import torch as t\nt.linalg.eigh(a)\n"),
        ("from torch import symeig\nsymeig(a)\nsymeig(b)\n", "from torch.linalg import eigh\neigh(a)\neigh(b)\n"),
        ("from torch import nn, symeig\nsymeig(a)\n", "from torch import nn\nfrom torch.linalg import eigh\neigh(a)\n"),
        ("from torch import symeig as s\ns(a)\n", "from torch.linalg import eigh as s\ns(a)\n"),
    ],
)
def test_replace_name(before: str, after: str) -> None:
    edit = {
        "edit": "replace_name",
        "at": {"use": "torch.symeig", "which": "all"},
        "name": "torch.symeig",
        "to": "torch.linalg.eigh",
    }
    assert repaired(before, edit) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("import os\nimport torch\n", "import os\nimport torch\nfrom torch.nn.utils.rnn import pad_sequence\n"),
        ("from torch import nn\nfrom torch.utils import data\n",
         "from torch import nn\nfrom torch.nn.utils.rnn import pad_sequence\nfrom torch.utils import data\n"),
        ("from torch.nn.utils.rnn import PackedSequence\n",
         "from torch.nn.utils.rnn import PackedSequence, pad_sequence\n"),
        ("from torch.nn.utils.rnn import (\n    PackedSequence,\n    z,\n)\n",
         "from torch.nn.utils.rnn import (\n    PackedSequence,\n    pad_sequence,\n    z,\n)\n"),
        ("#!/usr/bin/env python\n# -*- coding: utf-8 -*-\nx = 1\n",
         "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\nfrom torch.nn.utils.rnn import pad_sequence\nx = 1\n"),
        ("from __future__ import annotations\nx = 1\n",
         "from __future__ import annotations\nfrom torch.nn.utils.rnn import pad_sequence\nx = 1\n"),
        ("import os\r\nimport torch", "import os\r\nimport torch\r\nfrom torch.nn.utils.rnn import pad_sequence"),
    ],
)  # fmt: skip
def test_add_import(before: str, after: str) -> None:
    edit = {"edit": "add_import", "module": "torch.nn.utils.rnn", "name": "pad_sequence"}
    assert repaired(before, edit) == after


# -- functions -------------------------------------------------------------------------------------------------------


def test_decorators() -> None:
    add = {"edit": "add_decorator", "at": "frame", "code": "torch.compiler.disable"}
    text = "import torch\nclass N:\n    @staticmethod\n    def f(x):\n        return g(x)\n"
    decorated = text.replace("    def f", "    @torch.compiler.disable\n    def f")
    assert repaired(text, add, line=5) == decorated
    assert "not inside a function" in planned("import torch\nf()\n", [add], 2).disabled
    remove = {"edit": "remove_decorator", "at": "frame", "name": ["torch.jit.script", "torch.compiler.*"]}
    assert repaired(decorated, remove, line=5) == text


def test_lambda_to_function() -> None:
    edit = {
        "edit": "lambda_to_function",
        "at": {"call": "torch.utils.data.DataLoader", "keyword_value": "collate_fn"},
        "name": "collate",
    }
    text = (
        "from torch.utils.data import DataLoader\n\nif __name__ == '__main__':\n"
        "    dl = DataLoader(d, collate_fn=lambda b: b, num_workers=1)\n"
    )
    assert repaired(text, edit) == (
        "from torch.utils.data import DataLoader\n\n\ndef collate(b):\n    return b\n\n\nif __name__ == '__main__':\n"
        "    dl = DataLoader(d, collate_fn=collate, num_workers=1)\n"
    )
    text = "from torch.utils.data import DataLoader\ndef f(n):\n    return DataLoader(d, collate_fn=lambda b: b[:n])\n"
    assert "uses n" in planned(text, [edit]).disabled


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("if x.sum() > 0:\n    return x + 1\nreturn x - 1\n", "return torch.where(x.sum() > 0, x + 1, x - 1)\n"),
        (
            "if x.sum() > 0:\n    y = x\nelse:\n    # other\n    y = -x\n",
            "# other\ny = torch.where(x.sum() > 0, x, -x)\n",
        ),
        ("if x.any() and not y.sum():\n    x += 1\n", "x = torch.where((x.any()) & (~(y.sum() != 0)), x + 1, x)\n"),
        ("z = x if x > 0 else -x\n", "z = torch.where(x > 0, x, -x)\n"),
        (
            "z = torch.vmap(lambda x: x if x > 0 else -x)(y)\n",
            "z = torch.vmap(lambda x: torch.where(x > 0, x, -x))(y)\n",
        ),
    ],
)
def test_if_to_where(before: str, after: str) -> None:
    def body(code: str) -> str:
        return "import torch\ndef f(x, y):\n" + "".join(f"    {line}\n" for line in code.splitlines())

    assert repaired(body(before), {"edit": "if_to_where"}, line=3) == body(after)


@pytest.mark.parametrize(
    "code",
    [
        "if a:\n    print(x)\n    y = 1\nelse:\n    y = 2\n",
        "if a is None:\n    y = 1\nelse:\n    y = 2\n",
        "if x > 0:\n    z = 1\n",
        "if x > 0:\n    return a, b\nreturn c\n",
        "if x > 0:\n    y = x.add_(1)\nelse:\n    y = x\n",
    ],
)
def test_if_to_where_refused(code: str) -> None:
    text = "import torch\ndef f(x, y):\n" + "".join(f"    {line}\n" for line in code.splitlines())
    assert planned(text, [{"edit": "if_to_where"}], 3).disabled


def test_guard_main() -> None:
    text = (
        '"""Doc."""\nimport torch\nfrom torch.utils.data import DataLoader\n\nSIZE = 4\nscale = make()\n\n'
        "class D:\n    def __getitem__(self, i):\n        return scale\n\nds = D()\n"
        "for b in DataLoader(ds, num_workers=1):\n"
        "    s = '''\nx'''\n    print(b)\n"
    )
    assert repaired(text, {"edit": "guard_main"}, line=13) == (
        '"""Doc."""\nimport torch\nfrom torch.utils.data import DataLoader\n\nSIZE = 4\nscale = make()\n\n'
        "class D:\n    def __getitem__(self, i):\n        return scale\n\n"
        'if __name__ == "__main__":\n    ds = D()\n    for b in DataLoader(ds, num_workers=1):\n'
        "        s = '''\nx'''\n        print(b)\n"
    )


def test_pattern_names_what_the_log_told() -> None:
    text = "import torch\nprint(model.fc.weight, model.head)\n"
    edit = {"edit": "replace_text", "at": "frame", "pattern": r"\b(\w+)(\.{attribute})\b", "to": r"\1.module\2"}
    assert repaired(text, edit, line=2, captures={"attribute": "head"}) == (
        "import torch\nprint(model.fc.weight, model.module.head)\n"
    )
    assert planned(text, [edit], 2, captures={}).disabled


def test_variable_called_like_a_module_is_not_imported() -> None:
    text = "import torch\nsched = make()\nfor x in data:\n    sched.step()\n    opt.step()\n"
    edits = [
        {
            "edit": "insert_statement",
            "at": {"statement": r"^opt\.step\(\)$"},
            "where": "after",
            "code": "{scheduler}.step()",
            "bind": {"at": {"statement": r"^sched\.step\(\)$"}, "pattern": r"^(?P<scheduler>\w+)\."},
        },
        {"edit": "remove_statement", "at": {"statement": r"^sched\.step\(\)$", "which": "first"}},
    ]
    assert repaired(text, *edits, again=False) == (
        "import torch\nsched = make()\nfor x in data:\n    opt.step()\n    sched.step()\n"
    )


def test_replace_text_around_what_stands_there() -> None:
    edit = {"edit": "replace_text", "at": "frame", "pattern": r"range\(len\((\w+)\)\)", "to": r"range(len(\1) - 1)"}
    text = "import torch\nfor i in range(len(x)):\n    pass\n"
    assert repaired(text, edit, line=2) == text.replace("len(x)", "len(x) - 1")


def test_a_place_may_count_from_what_the_log_says() -> None:
    at = {"call": "*", "scope": "frame", "arguments": {"min": "{given-1}", "max": "{given-1}"}}
    edit = {"edit": "replace_text", "at": at, "pattern": r",\s*\w+\)\Z", "to": ")"}
    text = "import torch\nprint(model(x, mask), f(y))\n"
    assert repaired(text, edit, line=2, captures={"given": "3"}) == text.replace("x, mask", "x")
    assert "no *" in planned(text, [edit], line=2, captures={"given": "5"}).disabled
    source = {"call": "torch.nn.Linear", "position": {"0": {"source": "^{width}$"}}}
    bind = {"at": "frame", "pattern": r"view\(-1, (?P<width>[\w* ]+)\)"}
    edit = {"edit": "replace_text", "at": source, "pattern": r"Linear\({width}, ", "to": "LazyLinear(", "bind": bind}
    text = "import torch\nf = torch.nn.Linear(4 * 4, 2)\ng = torch.nn.Linear(2, 2)\ny = x.view(-1, 4 * 4)\n"
    assert repaired(text, edit, line=4, again=False) == text.replace("Linear(4 * 4, 2)", "LazyLinear(2)")
