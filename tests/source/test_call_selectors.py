# ruff: noqa: E501 (a case reads best on one line)
"""`call`, `decorator`, `use` and `class` selectors in the spellings that people use."""

from __future__ import annotations

import pytest
from source_rules import AMP, ANOMALY, CACHE, COMPILE, FRESH, LOAD, SCRIPT, checker, expect, lines

LOADS = {
    "plain": "import torch\ntorch.load(p, weights_only=False)  # bad\n",
    "alias": "import torch as th\nth.load(p, weights_only=False)  # bad\n",
    "from import": "from torch import load\nload(p, weights_only=False)  # bad\n",
    "from import as": "from torch import load as ld\nld(p, weights_only=False)  # bad\n",
    "assigned": "import torch\nld = torch.load\nld(p, weights_only=False)  # bad\n",
    "assigned in a function": "import torch\ndef f():\n    ld = torch.load\n    return ld(p, weights_only=False)  # bad\n",
    "partial": "import functools, torch\nld = functools.partial(torch.load, weights_only=False)  # bad\nld(p)  # bad\n",
    "partial import": "from functools import partial\nimport torch\nx = partial(torch.load, weights_only=False)(p)  # bad\n",
    "partial completed later": "from functools import partial\nimport torch\nld = partial(torch.load, map_location='cpu')\nld(p, weights_only=False)  # bad\n",
    "getattr": 'import torch\ngetattr(torch, "load")(p, weights_only=False)  # bad\n',
    "literal **": 'import torch\ntorch.load(p, **{"weights_only": False})  # bad\n',
    "named **": "import torch\nKW = dict(weights_only=False)\ntorch.load(p, **KW)  # bad\n",
    "constant": "import torch\nSAFE = False\ntorch.load(p, weights_only=SAFE)  # bad\n",
    "serialization": "from torch.serialization import load\nload(p, weights_only=False)  # bad\n",
    "chained": "import torch\nm.load_state_dict(torch.load(p, weights_only=False)['model'])  # bad\n",
    "comprehension": "import torch\nx = [torch.load(p, weights_only=False) for p in ps]  # bad\n",
    "lambda": "import torch\nf = lambda p: torch.load(p, weights_only=False)  # bad\n",
    "zero for False": "import torch\ntorch.load(p, weights_only=0)  # bad\n",
    "default argument": "import torch\ndef f(x=torch.load(p, weights_only=False)): pass  # bad\n",
    "f-string": "import torch\nprint(f'{torch.load(p, weights_only=False)}')  # bad\n",
    "try import": "try:\n    import torch\nexcept ImportError:\n    pass\ntorch.load(p, weights_only=False)  # bad\n",
    # none of these is certain, or the function is another one
    "true": "import torch\ntorch.load(p, weights_only=True)\n",
    "absent": "import torch\ntorch.load(p)\n",
    "unknown": "import torch\ndef f(w):\n    torch.load(p, weights_only=w)\n",
    "joblib": "import joblib as torch\ntorch.load(p, weights_only=False)\n",
    "own load": "import torch\ndef load(p, weights_only): pass\nload(p, weights_only=False)\n",
    "method": "import torch\nself.load(p, weights_only=False)\n",
    "shadowed later import": "from torch import load\nfrom json import load\nload(p, weights_only=False)\n",
    "string": 'import torch\nx = "torch.load(p, weights_only=False)"\n',
    "unknown **": "import torch\ntorch.load(p, **kw)\n",
    "overridden": 'import torch\nKW = {"weights_only": True}\ntorch.load(p, **KW)\n',
}


@pytest.mark.parametrize("name", LOADS)
def test_a_call_with_a_keyword(name: str) -> None:
    expect(checker(*LOAD), LOADS[name])


@pytest.mark.parametrize(
    "text",
    [
        "import torch\n@torch.compile(dynamic=False)  # bad\ndef f(): pass\n",
        "import torch\nf = torch.compile(dynamic=False)(f)  # bad\n",
        "import torch\nc = torch.compile(dynamic=False)  # bad\nf = c(f)\n",
        "from torch import compile\nf = compile(f, dynamic=False)  # bad\n",
        "import torch, functools\n@functools.partial(torch.compile, dynamic=False)  # bad\ndef f(): pass\n",
        "import torch\n@torch.compile\ndef f(): pass\n",
        "import torch\n@torch.compile(dynamic=True)\ndef f(): pass\n",
        "import re\nre.compile(x, dynamic=False)\n",
        "import torch\nmodel.compile(dynamic=False)\n",
    ],
)
def test_decorated_and_curried_calls(text: str) -> None:
    expect(checker(*COMPILE), text)


MISSING = ({"call": "torch.utils.checkpoint.checkpoint", "missing": ["use_reentrant"]},)


@pytest.mark.parametrize(
    "text",
    [
        "from torch.utils.checkpoint import checkpoint\ncheckpoint(f, x)  # bad\n",
        "import torch.utils.checkpoint as cp\ncp.checkpoint(f, x)  # bad\n",
        "import torch\ntorch.utils.checkpoint.checkpoint(f, x)  # bad\n",
        "from torch.utils import checkpoint\ncheckpoint.checkpoint(f, x)  # bad\n",
        "from torch.utils.checkpoint import checkpoint\ncheckpoint(f, x, use_reentrant=False)\n",
        "from torch.utils.checkpoint import checkpoint\ncheckpoint(f, x, **kw)\n",
        "from torch.utils.checkpoint import checkpoint\nKW = {'use_reentrant': False}\ncheckpoint(f, x, **KW)\n",
        "from functools import partial\nfrom torch.utils.checkpoint import checkpoint\n"
        "c = partial(checkpoint, use_reentrant=False)\nc(f, x)\n",
        "from functools import partial\nfrom torch.utils.checkpoint import checkpoint\n"
        "c = partial(checkpoint, f)\nc(x)  # bad\n",
        "import torch\nfrom torch.utils.checkpoint import checkpoint\n"
        "if torch.__version__ >= '2':\n    checkpoint(f, x, use_reentrant=False)\nelse:\n    checkpoint(f, x)\n",
        "from torch.utils.checkpoint import checkpoint\n"
        "try:\n    checkpoint(f, x, use_reentrant=False)\nexcept TypeError:\n    checkpoint(f, x)\n",
    ],
)
def test_missing_keywords(text: str) -> None:
    expect(checker(*MISSING), text)


@pytest.mark.parametrize(
    "text",
    [
        "import torch\ntorch.autograd.set_detect_anomaly(True)  # bad\n",
        "import torch\ntorch.autograd.set_detect_anomaly(mode=True)  # bad\n",
        "from torch.autograd import set_detect_anomaly as sda\nsda(True)  # bad\n",
        "from torch import autograd\nautograd.set_detect_anomaly(True)  # bad\n",
        "import torch\nclass W(torch.nn.Module):\n    def __init__(self):\n        torch.autograd.set_detect_anomaly(True)  # bad\n",
        "import torch\nif torch.cuda.is_available():\n    torch.autograd.set_detect_anomaly(True)  # bad\n",
        "import torch\ntorch.autograd.set_detect_anomaly(False)\n",
        "import torch\ndef f(args):\n    if args.debug:\n        torch.autograd.set_detect_anomaly(True)\n",
        "import torch\ndef f(args):\n    if not args.no_anomaly: torch.autograd.set_detect_anomaly(True)\n",
        "import torch\ndef f(debug=False):\n    if debug:\n        torch.autograd.set_detect_anomaly(True)\n",
        "import os, torch\nif os.environ.get('ANOMALY'):\n    torch.autograd.set_detect_anomaly(True)\n",
        "import os, torch\nON = os.environ.get('ANOMALY') == '1'\nif ON:\n    torch.autograd.set_detect_anomaly(True)\n",
        "import torch\nclass T:\n    def f(self):\n        if self.config.check_nan:\n            torch.autograd.set_detect_anomaly(True)\n",
        "import torch\nDEBUG = False\nif DEBUG:\n    torch.autograd.set_detect_anomaly(True)\n",
        "import torch\ndef f(cfg):\n    cfg.debug and torch.autograd.set_detect_anomaly(True)\n",
        "import torch\ndef f(cfg):\n    torch.autograd.set_detect_anomaly(cfg.debug)\n",
        "import torch\ndef f(cfg):\n    torch.autograd.set_detect_anomaly(True) if cfg.debug else None\n",
        "import torch\ndef test_x():\n    with torch.autograd.set_detect_anomaly(True):\n        pass\n",
        "import torch\ndef f():\n    torch.autograd.set_detect_anomaly(True)\n    g()\n    torch.autograd.set_detect_anomaly(False)\n",
        "from unittest.mock import patch\nwith patch('torch.autograd.set_detect_anomaly'): pass\n",
    ],
)
def test_switches_behind_flags(text: str) -> None:
    expect(checker(*ANOMALY), text)


@pytest.mark.parametrize(
    "text",
    [
        "import torch\nwith torch.cuda.amp.autocast(): pass  # bad\n",
        "from torch.cuda import amp\ns = amp.GradScaler()  # bad\n",
        "from torch.cuda.amp import autocast  # bad\nwith autocast(): pass  # bad\n",
        "from torch.cuda.amp import autocast as ac, GradScaler as gs  # bad\nx = gs()  # bad\n@ac()  # bad\ndef f(): pass\n",
        "import torch.cuda.amp as amp\n@amp.autocast()  # bad\ndef f(): pass\n",
        "import torch\nf = lambda: torch.cuda.amp.autocast(dtype=d)  # bad\n",
        "import torch\nctx = torch.cuda.amp.autocast if on else nullcontext  # bad\n",
        "import torch\ns = getattr(torch.cuda.amp, 'GradScaler')()  # bad\n",
        "from torch.cuda.amp.grad_scaler import GradScaler  # bad\n",
        "from torch.cuda.amp import (  # first\n    autocast,  # bad\n)\n",
        "try:\n    from torch.cuda.amp import GradScaler  # bad\nexcept ImportError:\n    GradScaler = None\nGradScaler()  # bad\n",
        "from torch.amp import autocast\nwith autocast('cuda'): pass\n",
        "try:\n    from torch.amp import autocast\nexcept ImportError:\n    from torch.cuda.amp import autocast\nautocast()\n",
        "import torch\nif hasattr(torch.amp, 'GradScaler'):\n    s = torch.amp.GradScaler('cuda')\nelse:\n    s = torch.cuda.amp.GradScaler()\n",
        "import torch\nfrom packaging import version\nif version.parse(torch.__version__) >= version.parse('2.4'):\n    from torch.amp import autocast\n"
        "else:\n    from torch.cuda.amp import autocast\nautocast()\n",
        "import torch\nTORCH_24 = torch.__version__ >= '2.4'\ns = torch.amp.GradScaler() if TORCH_24 else torch.cuda.amp.GradScaler()\n",
        "try:\n    from torch.amp import GradScaler\n    NEW = True\nexcept ImportError:\n    NEW = False\n    from torch.cuda.amp import GradScaler\n",
        '"""torch.cuda.amp.autocast is old."""\n# torch.cuda.amp.autocast()\n',
        "def autocast(device_type=None):\n    pass\nimport torch\nautocast()\n",
        "import apex.amp as amp\namp.autocast()\n",
        "import torch\ndef f(GradScaler):\n    GradScaler()\n",
        "import torch\nx.autocast = 3\nf(autocast=True)\n",
    ],
)
def test_uses_of_a_deprecated_name(text: str) -> None:
    expect(checker(*AMP), text)


@pytest.mark.parametrize(
    "text",
    [
        "import torch\nfor x in y:\n    torch.cuda.empty_cache()  # bad\n",
        "import torch\nwhile True:\n    if x:\n        torch.cuda.empty_cache()  # bad\n",
        "import torch\nfrom torch import cuda\nasync def f():\n    async for x in y:\n        cuda.empty_cache()  # bad\n",
        "import torch\nclass M:\n    def training_step(self, b):\n        torch.cuda.empty_cache()  # bad\n",
        "import torch\nx = [torch.cuda.empty_cache() for y in z]  # bad\n",
        "import torch\nfor e in range(3):\n    for x in y:\n        with g():\n            torch.cuda.empty_cache()  # bad\n",
        "import torch\ntorch.cuda.empty_cache()\n",
        "import torch\nfor x in y:\n    pass\ntorch.cuda.empty_cache()\n",
        "import torch\nfor x in y:\n    pass\nelse:\n    torch.cuda.empty_cache()\n",
        "import torch\nfor x in y:\n    def f():\n        torch.cuda.empty_cache()\n",
        "import torch\nfor x in f(torch.cuda.empty_cache()):\n    pass\n",
        "import torch\nfor x in y:\n    try:\n        f(x)\n    except RuntimeError:\n        torch.cuda.empty_cache()\n",
    ],
)
def test_loops(text: str) -> None:
    expect(checker(*CACHE), text)


@pytest.mark.parametrize(
    "text",
    [
        "import torch\nclass M:\n    @torch.jit.script  # bad\n    def forward(self, x): pass\n",
        "from torch import jit\nclass M:\n    @jit.script  # bad\n    def forward(self, x): pass\n",
        "from torch.jit import script as s\nclass M:\n    @s  # bad\n    def forward(self, x): pass\n",
        "import torch\n@torch.jit.script\ndef helper(x): pass\n",
        "import torch\nclass M:\n    @torch.jit.ignore\n    def forward(self, x): pass\n",
    ],
)
def test_decorators(text: str) -> None:
    expect(checker(*SCRIPT), text)


@pytest.mark.parametrize(
    "text",
    [
        "import torch\nfor w in ws:\n    n = make(w)\n    n = torch.compile(n)  # bad\n",
        "import torch\nfor w in ws:\n    torch.compile(Net(w))  # bad\n",
        "import torch\nms = [torch.compile(Net(w)) for w in ws]  # bad\n",
        "import torch\nfor w in ws:\n    f = torch.compile(lambda x: x * w)  # bad\n",
        "import torch\nfor i, layer in enumerate(m.layers):\n    m.layers[i] = torch.compile(layer)\n",
        "import torch\nn = Net()\nfor w in ws:\n    m = torch.compile(n)\n",
        "import torch\nn = torch.compile(Net())\n",
    ],
)
def test_fresh_objects_in_loops(text: str) -> None:
    expect(checker(*FRESH), text)


BACKWARD = ({"call": ".backward", "keyword": {"retain_graph": {"is": True}}, "inside": ["loop"]},)


@pytest.mark.parametrize(
    "text",
    [
        "import torch\nfor x in y:\n    loss.backward(retain_graph=True)  # bad\n",
        "import torch\nfor x in y:\n    (a + b).sum().backward(retain_graph=True)  # bad\n",
        "import torch\nfor x in y:\n    scaler.scale(loss).backward(retain_graph=True)  # bad\n",
        "import lightning as L\nfor x in y:\n    loss.backward(retain_graph=True)  # bad\n",
        "import tensorflow\nfor x in y:\n    loss.backward(retain_graph=True)\n",
        "import torch\nloss.backward(retain_graph=True)\n",
        "import torch\nfor x in y:\n    loss.backward()\n",
        "import torch\nfor x in y:\n    torch.autograd.backward(loss, retain_graph=True)\n",
    ],
)
def test_methods_of_any_object(text: str) -> None:
    expect(checker(*BACKWARD), text)


def test_receivers_with_a_known_origin() -> None:
    selector = {"call": ".load_state_dict", "receiver": {"call": "torch.compile"}}
    text = (
        "import torch\nm = torch.compile(net)\nm.load_state_dict(s)  # bad\nnet.load_state_dict(s)\n"
        "class T:\n    def __init__(self):\n        self.m = torch.compile(net).cuda()\n"
        "    def f(self):\n        self.m.load_state_dict(s)  # bad\n"
    )
    expect(checker(selector), text)


SUPER = ({"class": "torch.nn.Module", "missing_call": "super().__init__", "in": "__init__"},)


@pytest.mark.parametrize(
    "text",
    [
        "from torch import nn\nclass M(nn.Module):\n    def __init__(self):  # bad\n        self.a = nn.Linear(1, 1)\n",
        "import torch\nclass A(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "class B(A):\n    def __init__(self):  # bad\n        self.x = 1\n",
        "from torch import nn\nclass M(nn.Module):\n    def __init__(self):\n        super(M, self).__init__()\n",
        "from torch import nn\nclass M(nn.Module):\n    def __init__(self):\n        nn.Module.__init__(self)\n",
        "from torch import nn\nclass M(nn.Module):\n    def forward(self): pass\n",
        "class M(Module):\n    def __init__(self): pass\n",
        "import torch\nclass M(object):\n    def __init__(self): pass\n",
    ],
)
def test_classes(text: str) -> None:
    expect(checker(*SUPER), text)


def test_positions_and_counts() -> None:
    many = checker({"call": "torch.add", "arguments": {"min": 3}})
    expect(many, "import torch\ntorch.add(a, 1, b)  # bad\ntorch.add(a, b)\ntorch.add(*x)\n")
    lam = checker({"call": "torch.utils.data.DataLoader", "keyword": {"collate_fn": {"kind": "lambda"}}})
    expect(
        lam,
        "from torch.utils.data import DataLoader\nf = lambda b: b\nDataLoader(d, collate_fn=f)  # bad\n"
        "DataLoader(d, collate_fn=lambda b: b)  # bad\nDataLoader(d, collate_fn=g)\n",
    )
    both = checker(
        {
            "call": "torch.utils.data.DataLoader",
            "keyword": {"shuffle": {"is": True}, "sampler": {"not": {"is": None}}},
        }
    )
    expect(
        both,
        "from torch.utils.data import DataLoader\nDataLoader(d, shuffle=True, sampler=s)\n"
        "DataLoader(d, shuffle=True, sampler=None)\n",
    )
    present = checker(
        {"call": "torch.utils.data.DataLoader", "keyword": {"shuffle": {"is": True}, "sampler": {"kind": "any"}}}
    )
    expect(present, "from torch.utils.data import DataLoader\nDataLoader(d, shuffle=True, sampler=s)  # bad\n")


def test_versions_gate_selectors() -> None:
    selector = {"set": "torch._dynamo.config.recompile_limit", "versions": ["torch<2.7"]}
    text = "import torch\ntorch._dynamo.config.recompile_limit = 64\n"
    assert [f.line for f in checker(selector, torch="2.5.1").check(text, "a.py")] == [2]
    assert checker(selector, torch="2.9.0+cu128").check(text, "a.py") == []
    guarded = "import torch\nif hasattr(torch._dynamo.config, 'recompile_limit'):\n    torch._dynamo.config.recompile_limit = 64\n"
    assert checker(selector, torch="2.5.1").check(guarded, "a.py") == []


def test_patterns_of_names() -> None:
    selector = {"call": ["torch.nn.*Loss", "torch.nn.functional.*"], "keyword": {"size_average": {"kind": "bool"}}}
    expect(
        checker(selector),
        "import torch\nimport torch.nn.functional as F\nfrom torch import nn\nF.mse_loss(a, b, size_average=False)  # bad\n"
        "nn.L1Loss(size_average=True)  # bad\nKW = {'size_average': True}\nnn.MSELoss(**KW)  # bad\n"
        "other(size_average=True)\nnn.MSELoss(size_average=None)\nnn.Linear(2, 2, size_average=True)\n",
    )


def test_attributes_of_any_object() -> None:
    expect(
        checker({"set": ".require_grad"}),
        "import torch\np.require_grad = False  # bad\nfor p in m.parameters():\n    p.require_grad = True  # bad\n"
        "print(p.require_grad)\np.requires_grad = True\nf(require_grad=True)\n",
    )
    expect(checker({"set": ".require_grad"}), "p.require_grad = False\n")


def test_the_expression_around_a_call_and_the_text_of_an_argument() -> None:
    expect(
        checker({"call": "torch.exp", "within": r"@\s*-\s*1(?:\.0)?"}),
        "import torch\ny = torch.exp(x) - 1  # bad\nz = (torch.exp(x)) - 1.0  # bad\nw = 1 - torch.exp(x)\n"
        "v = torch.exp(x) - 10\nu = f(torch.exp(x), -1)\n",
    )
    expect(
        checker({"call": "torch.log", "position": {"0": {"source": r"^1(?:\.0)?\s*\+|\+\s*1(?:\.0)?$"}}}),
        "from torch import log\nlog(1 + x)  # bad\nlog(x + 1.0)  # bad\nlog(x + 10)\nlog(x)\n",
    )


def test_names_that_are_only_mentioned() -> None:
    expect(
        checker(*AMP),
        "import torch\nTABLE = {torch.cuda.amp.autocast: 1}\nif f is torch.cuda.amp.autocast: pass\n"
        "OLD = [torch.cuda.amp.autocast, torch.cuda.amp.GradScaler]\ndef g(s: torch.cuda.amp.GradScaler): pass\n"
        "isinstance(s, torch.cuda.amp.GradScaler)\nh(torch.cuda.amp.autocast)  # bad\n"
        "s = torch.amp.GradScaler() if _TORCH_GREATER_EQUAL_2_4 else torch.cuda.amp.GradScaler()\n",
    )


def test_what_is_fetched_in_a_loop_is_not_fresh() -> None:
    expect(
        checker(*FRESH),
        "import torch\nfor name in names:\n    m = getattr(pipe, name)\n    setattr(pipe, name, torch.compile(m))\n"
        "    torch.compile(model.get_submodule(name))\n    torch.compile(Net(name))  # bad\n",
    )


def test_stubs_have_no_bodies() -> None:
    text = "from torch import nn\nclass M(nn.Module):\n    def __init__(self): ...\n"
    assert checker(*SUPER).check(text, "m.pyi") == []
    assert len(checker(*SUPER).check(text, "m.py")) == 1


def test_a_library_may_use_the_names_that_it_retires() -> None:
    text = "import torch\nwith torch.cuda.amp.autocast(): pass\n"
    own = "/opt/venv/lib/python3.11/site-packages/torch/optim/adam.py"
    assert checker(*AMP).check(text, own) == []
    assert lines(checker(*AMP).check(text, own.replace("/torch/", "/timm/"))) == [2]
    assert lines(checker(*LOAD).check("import torch\ntorch.load(p, weights_only=False)\n", own)) == [2]


def test_unless() -> None:
    expect(
        checker({"call": "torch.load", "position": {"0": {"unless": {"call": "io.BytesIO"}}}}),
        "import io, torch\nb = io.BytesIO()\ntorch.load(b)\ntorch.load(io.BytesIO(x))\ntorch.load(path)  # bad\n",
    )


RELEASE = {"call": "torch.cuda.empty_cache", "inside": ["loop"], "outside": ["released"]}


@pytest.mark.parametrize(
    "body",
    [
        "model = build(name)\n    run(model)\n    torch.cuda.empty_cache()",
        "m, tokenizer = load_model(name)\n    torch.cuda.empty_cache()",
        "torch.cuda.empty_cache()\n    x = AutoModelForCausalLM.from_pretrained(name)",
        "n = Net().cuda().eval()\n    torch.cuda.empty_cache()",
        "del self.model\n    gc.collect()\n    torch.cuda.empty_cache()",
        "text_encoder.to('cpu')\n    if gc.isenabled():\n        torch.cuda.empty_cache()",
    ],
)
def test_a_cache_emptied_for_a_whole_model(body: str) -> None:
    text = f"import gc, torch\nclass Net(torch.nn.Module):\n    pass\nfor name in names:\n    {body}\n"
    assert not lines(checker(RELEASE).check(text, "a.py"))


@pytest.mark.parametrize(
    "body",
    [
        "model_inputs = collate(name)\n    model(model_inputs)\n    torch.cuda.empty_cache()",
        "out = self.transformer(name)\n    torch.cuda.empty_cache()",
        "loss = model(name).sum()\n    del loss\n    torch.cuda.empty_cache()",
        "model = model.to(device)\n    torch.cuda.empty_cache()",
    ],
)
def test_a_cache_emptied_in_each_step(body: str) -> None:
    text = f"import gc, torch\nfor name in names:\n    {body}\n"
    assert len(lines(checker(RELEASE).check(text, "a.py"))) == 1
