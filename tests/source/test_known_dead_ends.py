# ruff: noqa: E501 (a case reads best on one line)
"""The built-in records on shapes of code as people write it: marked lines are found, and nothing else is."""

from __future__ import annotations

from functools import cache

import pytest
from source_rules import lines, marked

from detour_lsp.knowledge.loading import load
from detour_lsp.source.check import Checker


@cache
def checker(torch: str | None = None) -> Checker:
    return Checker(load(), torch)


BAD = {
    "limit, config imported as": "import torch._dynamo.config as dynamo_config\ndynamo_config.cache_size_limit = 0  # bad\n",
    "limit, from import": "from torch._dynamo import config\n\ndef setup():\n    config.recompile_limit = 0  # bad\n",
    "limit, dynamo imported as": "import torch._dynamo as dynamo\ndynamo.config.cache_size_limit = 0  # bad\n",
    "limit, negative": "import torch\ntorch._dynamo.config.recompile_limit = -1  # bad\n",
    "limit, maxsize": "import sys\nimport torch\ntorch._dynamo.config.cache_size_limit = sys.maxsize  # bad\n",
    "limit, infinity": "import torch\ntorch._dynamo.config.cache_size_limit = float('inf')  # bad\n",
    "limit, power": "import torch\ntorch._dynamo.config.cache_size_limit = 2 ** 31  # bad\n",
    "limit, exponent": "import torch\ntorch._dynamo.config.cache_size_limit = int(1e9)  # bad\n",
    "limit, patched": "import torch\n\ndef run(model, x):\n    with torch._dynamo.config.patch(recompile_limit=0):  # bad\n        return model(x)\n",
    "limit, patched with a dictionary": 'import torch\n\n@torch._dynamo.config.patch({"cache_size_limit": 0})  # bad\ndef run(model, x):\n    return model(x)\n',
    "limit, setattr": 'import torch\nsetattr(torch._dynamo.config, "cache_size_limit", 0)  # bad\n',
    "limit, constant": "import torch\nNO_LIMIT = 10_000_000\ntorch._dynamo.config.cache_size_limit = NO_LIMIT  # bad\n",
    "limit, accumulated": "import torch\ntorch._dynamo.config.accumulated_cache_size_limit = 0  # bad\n",
    "limit, in a class": "import torch\n\nclass Trainer:\n    def __init__(self):\n        torch._dynamo.config.cache_size_limit = 0  # bad\n",
    "limit, two settings in one line": "import torch._dynamo as d\nd.config.recompile_limit, d.config.verbose = 0, True  # bad\n",
    "limit, compiler config": "import torch\ntorch.compiler.config.recompile_limit = 0  # bad\n",
    "errors suppressed": "import torch._dynamo\ntorch._dynamo.config.suppress_errors = True  # bad\n",
    "errors suppressed, alias": "from torch._dynamo import config as dynamo_config\ndynamo_config.suppress_errors = True  # bad\n",
    "errors suppressed in a try": "try:\n    import torch._dynamo\n    torch._dynamo.config.suppress_errors = True  # bad\nexcept ImportError:\n    pass\n",
    "errors suppressed, patched": "import torch\nwith torch._dynamo.config.patch(suppress_errors=True):  # bad\n    f()\n",
    "errors suppressed by the environment": "import os\nos.environ['TORCHDYNAMO_SUPPRESS_ERRORS'] = '1'  # bad\nimport torch\n",
    "dynamo off": "import torch\ntorch._dynamo.config.disable = True  # bad\n",
    "dynamo off by the environment": "import os\nos.environ['TORCH_COMPILE_DISABLE'] = '1'  # bad\nimport torch\n",
    "dynamo off by the old variable": "import os\nos.environ.setdefault('TORCHDYNAMO_DISABLE', '1')  # bad\nimport torch\n",
    "script on forward": "import torch\nfrom torch import nn\n\nclass Net(nn.Module):\n    @torch.jit.script  # bad\n    def forward(self, x):\n        return x\n",
    "script on forward, from import": "from torch import nn, jit\n\nclass Net(nn.Module):\n    @jit.script  # bad\n    def forward(self, x):\n        return x\n",
    "compiled script": "import torch\nm = torch.compile(torch.jit.script(net))  # bad\n",
    "fresh compiles in a loop": "import torch\nfor n in sizes:\n    m = torch.compile(Net(n), dynamic=True)  # bad\n    m(x)\n",
    "fresh compiles in a comprehension": "import torch\nms = [torch.compile(Net(n)) for n in sizes]  # bad\n",
    "anomaly mode": "import torch\ntorch.autograd.set_detect_anomaly(True)  # bad\n",
    "anomaly mode, keyword": "from torch.autograd import set_detect_anomaly\nset_detect_anomaly(mode=True)  # bad\n",
    "anomaly mode, checks off": "import torch\ntorch.autograd.set_detect_anomaly(True, check_nan=False)  # bad\n",
    "anomaly mode around a step": "import torch\nfor x in loader:\n    with torch.autograd.detect_anomaly():  # bad\n        loss(x).backward()\n",
    "anomaly mode, alias": "from torch import autograd as ag\nag.set_detect_anomaly(True)  # bad\n",
    "anomaly mode of a trainer": "import pytorch_lightning as pl\nt = pl.Trainer(detect_anomaly=True)  # bad\n",
    "visible devices too late": "import os\nimport torch\nx = torch.ones(2).cuda()\nos.environ['CUDA_VISIBLE_DEVICES'] = '0'  # bad\n",
    "visible devices after a check": "import os\nimport torch\nif torch.cuda.is_available():\n    os.environ['CUDA_VISIBLE_DEVICES'] = '0'  # bad\n",
    "visible devices in main": "import os\nimport torch\n\ndef main():\n    torch.cuda.set_device(0)\n    os.environ.update({'CUDA_VISIBLE_DEVICES': '1'})  # bad\n",
    "allocator too late": "import os\nimport torch\nm = net.to('cuda')\nos.environ['PYTORCH_CUDA_ALLOC_CONF'] = 'expandable_segments:True'  # bad\n",
    "allocator malformed": "import os\nos.environ['PYTORCH_CUDA_ALLOC_CONF'] = 'max_split_size_mb=128'  # bad\nimport torch\n",
    "launch blocking left in": "import os\nos.environ['CUDA_LAUNCH_BLOCKING'] = '1'  # bad\nimport torch\n",
    "launch blocking from os": "from os import environ\nenviron['CUDA_LAUNCH_BLOCKING'] = \"1\"  # bad\n",
    "duplicate OpenMP": "import os\nos.environ['KMP_DUPLICATE_LIB_OK'] = 'True'  # bad\nimport torch\n",
    "number as a variable": "import os\nos.environ['OMP_NUM_THREADS'] = 1  # bad\n",
    "old autocast": "import torch\nwith torch.cuda.amp.autocast():  # bad\n    f()\n",
    "old autocast as a decorator": "import torch\n\n@torch.cuda.amp.autocast()  # bad\ndef forward(x):\n    return x\n",
    "old scaler": "from torch.cuda.amp import GradScaler  # bad\nscaler = GradScaler()  # bad\n",
    "old module, alias": "import torch.cuda.amp as amp\nscaler = amp.GradScaler(enabled=False)  # bad\n",
    "old autocast on the CPU": "import torch\nwith torch.cpu.amp.autocast():  # bad\n    f()\n",
    "old custom_fwd": "import torch\n\nclass F(torch.autograd.Function):\n    @staticmethod\n    @torch.cuda.amp.custom_fwd  # bad\n    def forward(ctx, x):\n        return x\n",
    "old autocast in a conditional": "import contextlib\nimport torch\nctx = torch.cuda.amp.autocast() if use else contextlib.nullcontext()  # bad\n",
    "old autocast, partial": "from functools import partial\nimport torch\nautocast = partial(torch.cuda.amp.autocast, dtype=torch.bfloat16)  # bad\n",
    "unused parameters looked for": "from torch.nn.parallel import DistributedDataParallel as DDP\nm = DDP(net, device_ids=[0], find_unused_parameters=True)  # bad\n",
    "unused parameters, whole name": "import torch\nm = torch.nn.parallel.DistributedDataParallel(net, find_unused_parameters=True)  # bad\n",
    "unused parameters, accelerate": "from accelerate.utils import DistributedDataParallelKwargs\nkw = DistributedDataParallelKwargs(find_unused_parameters=True)  # bad\n",
    "unused parameters, lightning": "from lightning.pytorch.strategies import DDPStrategy\ns = DDPStrategy(find_unused_parameters=True)  # bad\n",
    "cache emptied in a step": "import torch\n\ndef train(loader):\n    for batch in loader:\n        step(batch)\n        torch.cuda.empty_cache()  # bad\n",
    "cache emptied, from import": "from torch import cuda\nwhile True:\n    cuda.empty_cache()  # bad\n",
    "cache emptied in a hook": "import torch\nimport lightning as L\n\nclass M(L.LightningModule):\n    def training_step(self, batch, i):\n        torch.cuda.empty_cache()  # bad\n        return batch\n",
    "retained graph": "import torch\nfor x in data:\n    loss = f(x)\n    loss.backward(retain_graph=True)  # bad\n",
    "unsafe load": "import torch\nm = torch.load('m.pt', weights_only=False)  # bad\n",
    "no use_reentrant": "from torch.utils.checkpoint import checkpoint\ny = checkpoint(f, x)  # bad\n",
    "sampler and shuffle": "from torch.utils.data import DataLoader, RandomSampler\nd = DataLoader(ds, sampler=RandomSampler(ds), shuffle=True)  # bad\n",
    "prefixed state saved": "import torch\nm = torch.compile(net)\ntorch.save(m.state_dict(), 'm.pt')  # bad\n",
    "old default tensor type": "import torch\ntorch.set_default_tensor_type(torch.cuda.FloatTensor)  # bad\n",
    "removed linalg": "import torch\nu, s, v = torch.symeig(a)  # bad\n",
    "size_average": "import torch.nn.functional as F\nloss = F.mse_loss(a, b, size_average=False)  # bad\n",
}

GOOD = {
    "visible devices after the import": "import os\nimport torch\nos.environ['CUDA_VISIBLE_DEVICES'] = '0'\nm = net.cuda()\n",
    "allocator before the import": "import os\nos.environ['PYTORCH_CUDA_ALLOC_CONF'] = 'expandable_segments:True,max_split_size_mb:512'\nimport torch\n",
    "deliberate limits": "import torch\ntorch._dynamo.config.cache_size_limit = 64\ntorch._dynamo.config.accumulated_cache_size_limit = 512\n",
    "limit from configuration": "import torch\n\ndef setup(cfg):\n    torch._dynamo.config.cache_size_limit = cfg.dynamo.limit\n",
    "limit of something else": "from functools import lru_cache\ncache_size_limit = 0\n\nclass Cache:\n    cache_size_limit = 0\n",
    "limit in a string": "HELP = 'set torch._dynamo.config.recompile_limit = 0'\n",
    "limit in a log call": "import logging, torch\nlogging.info('recompile_limit = 0 %s', torch._dynamo.config.recompile_limit)\n",
    "limit kept and put back": "import torch\n\ndef run(f):\n    old = torch._dynamo.config.suppress_errors\n    torch._dynamo.config.suppress_errors = True\n    try:\n        return f()\n    finally:\n        torch._dynamo.config.suppress_errors = old\n",
    "errors from arguments": "import torch\n\ndef main(args):\n    torch._dynamo.config.suppress_errors = args.fallback\n",
    "errors off": "import torch\ntorch._dynamo.config.suppress_errors = False\n",
    "compiled layers": "import torch\nfor i, block in enumerate(model.blocks):\n    model.blocks[i] = torch.compile(block)\n",
    "plain compile": "import torch\nmodel = torch.compile(model, mode='reduce-overhead', fullgraph=True)\n",
    "compile with options": "import torch\nmodel = torch.compile(model, options={'triton.cudagraphs': True})\n",
    "regular expression": "import re\nfor p in patterns:\n    r = re.compile(make(p))\n",
    "keras": "from tensorflow import keras\nmodel.compile(optimizer='adam', loss='mse')\n",
    "anomaly behind a flag": "import torch\n\ndef fit(cfg):\n    if cfg.debug:\n        torch.autograd.set_detect_anomaly(True)\n",
    "anomaly from a flag": "import torch\ntorch.autograd.set_detect_anomaly(bool(flags.nan))\n",
    "anomaly off": "import torch\ntorch.autograd.set_detect_anomaly(False)\n",
    "anomaly in a test": "import torch\n\nclass TestGrad:\n    def test_it(self):\n        with torch.autograd.detect_anomaly():\n            f().backward()\n",
    "new names": "import torch\nwith torch.amp.autocast('cuda', dtype=torch.bfloat16):\n    f()\nscaler = torch.amp.GradScaler('cuda')\n",
    "torch.autocast": "import torch\nwith torch.autocast(device_type='cuda'):\n    f()\n",
    "either name": "try:\n    from torch.amp import GradScaler\nexcept ImportError:\n    from torch.cuda.amp import GradScaler\nscaler = GradScaler()\n",
    "by version": "import torch\nfrom packaging.version import Version\nif Version(torch.__version__) >= Version('2.4'):\n    scaler = torch.amp.GradScaler('cuda')\nelse:\n    scaler = torch.cuda.amp.GradScaler()\n",
    "apex": "from apex import amp\nmodel, opt = amp.initialize(model, opt)\n",
    "own autocast": "class amp:\n    @staticmethod\n    def autocast():\n        pass\nwith amp.autocast():\n    pass\n",
    "unused parameters from arguments": "from torch.nn.parallel import DistributedDataParallel as DDP\nm = DDP(net, find_unused_parameters=args.unused)\n",
    "no unused parameters": "from torch.nn.parallel import DistributedDataParallel as DDP\nm = DDP(net, find_unused_parameters=False)\n",
    "cache emptied once": "import torch\ndel model\ntorch.cuda.empty_cache()\n",
    "cache emptied after failure": "import torch\nfor b in data:\n    try:\n        step(b)\n    except torch.cuda.OutOfMemoryError:\n        torch.cuda.empty_cache()\n",
    "another cache": "for b in data:\n    cache.empty_cache()\n    store.cuda.empty_cache()\n",
    "variables that are read": "import os\nif os.environ.get('CUDA_LAUNCH_BLOCKING') == '1':\n    print('slow')\nx = os.environ['KMP_DUPLICATE_LIB_OK']\n",
    "variables for a child": "import os, subprocess\nenv = {**os.environ, 'CUDA_LAUNCH_BLOCKING': '1'}\nsubprocess.run(['x'], env=env)\n",
    "variables switched off": "import os\nos.environ['TORCH_COMPILE_DISABLE'] = '0'\nos.environ['CUDA_LAUNCH_BLOCKING'] = '0'\n",
    "number as text": "import os\nos.environ['OMP_NUM_THREADS'] = str(4)\nos.environ['RANK'] = f'{rank}'\n",
    "mocked": "from unittest import mock\nwith mock.patch('torch.cuda.empty_cache') as m:\n    f()\n",
    "retained outside of a loop": "import torch\nloss.backward(retain_graph=True)\nother.backward()\n",
    "safe load": "import torch\nm = torch.load('m.pt', weights_only=True, map_location='cpu')\n",
    "load as it is": "import torch\nm = torch.load('m.pt', map_location='cpu')\n",
    "json load": "import json\nx = json.load(f)\n",
    "reentrant said": "from torch.utils.checkpoint import checkpoint\ny = checkpoint(f, x, use_reentrant=False)\n",
    "state of the inner module": "import torch\nm = torch.compile(net)\ntorch.save(m._orig_mod.state_dict(), 'm.pt')\ntorch.save(net.state_dict(), 'n.pt')\n",
    "shuffle without a sampler": "from torch.utils.data import DataLoader\nd = DataLoader(ds, shuffle=True, sampler=None)\ne = DataLoader(ds, shuffle=sampler is None, sampler=sampler)\n",
    "reduction": "import torch.nn.functional as F\nloss = F.mse_loss(a, b, reduction='sum')\n",
    "numpy": "import numpy as np\nw = np.linalg.eigh(a)\nx = np.load('x.npy')\n",
    "sklearn": "from sklearn.utils import shuffle\nshuffle(x, random_state=0)\n",
    "a model as usual": "import torch\nfrom torch import nn\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.fc = nn.Linear(2, 2)\n\n    def forward(self, x):\n        return self.fc(x)\n\nfor x, y in loader:\n    opt.zero_grad()\n    loss = nn.functional.cross_entropy(net(x), y)\n    loss.backward()\n    opt.step()\n",
}


@pytest.mark.parametrize("name", BAD)
def test_a_dead_end_is_found(name: str) -> None:
    text = BAD[name]
    found = checker().check(text, "train.py")
    assert sorted(set(lines(found))) == marked(text), [(item.line, item.record) for item in found]


@pytest.mark.parametrize("name", GOOD)
def test_healthy_code_is_left_alone(name: str) -> None:
    found = checker().check(GOOD[name], "train.py")
    assert found == [], [(item.line, item.record, item.message) for item in found]


def test_what_is_wrong_only_on_old_versions() -> None:
    text = "import torch\ntorch._dynamo.config.recompile_limit = 64\n"
    assert lines(checker("2.5.1").check(text, "train.py")) == [2]
    assert checker("2.9.1").check(text, "train.py") == []
    assert checker().check(text, "train.py") == []
    load = "import torch\nm = torch.load('m.pt')\n"
    assert lines(checker("2.3.0").check(load, "train.py")) == [2]
    assert checker("2.6.0").check(load, "train.py") == []
