# ruff: noqa: E501 (a case reads best on one line)
"""Environment variables set from Python: spellings, values, and setting them too late."""

from __future__ import annotations

import pytest
from source_rules import VISIBLE, checker, expect

BLOCKING = checker({"env": "CUDA_LAUNCH_BLOCKING", "value": {"is": "1"}})


@pytest.mark.parametrize(
    "text",
    [
        'import os\nos.environ["CUDA_LAUNCH_BLOCKING"] = "1"  # bad\n',
        "from os import environ\nenviron['CUDA_LAUNCH_BLOCKING'] = '1'  # bad\n",
        "from os import environ as env\nenv['CUDA_LAUNCH_BLOCKING'] = '1'  # bad\n",
        "import os as o\no.environ['CUDA_LAUNCH_BLOCKING'] = '1'  # bad\n",
        "import os\nenv = os.environ\nenv['CUDA_LAUNCH_BLOCKING'] = '1'  # bad\n",
        "import os\nos.environ.setdefault('CUDA_LAUNCH_BLOCKING', '1')  # bad\n",
        "import os\nos.environ.update({'CUDA_LAUNCH_BLOCKING': '1'})  # bad\n",
        "import os\nos.environ.update(CUDA_LAUNCH_BLOCKING='1')  # bad\n",
        "import os\nos.environ.update({\n    'A': 'b',\n    'CUDA_LAUNCH_BLOCKING': '1',  # bad\n})\n",
        "import os\nE = {'CUDA_LAUNCH_BLOCKING': '1'}\nos.environ.update(E)  # bad\n",
        "import os\nos.environ |= {'CUDA_LAUNCH_BLOCKING': '1'}  # bad\n",
        "import os\nos.putenv('CUDA_LAUNCH_BLOCKING', '1')  # bad\n",
        "import os\nos.environ['CUDA_LAUNCH_BLOCKING'] = str(1)  # bad\n",
        "import os\nos.environ['CUDA_LAUNCH_' + 'BLOCKING'] = '1'\n",
        "import os\nNAME = 'CUDA_LAUNCH_BLOCKING'\nos.environ[NAME] = '1'  # bad\n",
        "import os\nfor k in ('A', 'CUDA_LAUNCH_BLOCKING'):\n    os.environ[k] = '1'  # bad\n",
        "import os\nos.environ['A'], os.environ['CUDA_LAUNCH_BLOCKING'] = '0', '1'  # bad\n",
        "import os\nfor k, v in {'CUDA_LAUNCH_BLOCKING': '1'}.items():\n    os.environ[k] = v  # bad\n",
        "import os\nfor k, v in {'A': '1', 'CUDA_LAUNCH_BLOCKING': '0'}.items():\n    os.environ[k] = v\n",
        "import os\nos.environ['CUDA_LAUNCH_BLOCKING'] = '0'\n",
        "import os\nos.environ['CUDA_LAUNCH_BLOCKING'] = x\n",
        "import os\nif os.environ['CUDA_LAUNCH_BLOCKING'] == '1': pass\n",
        "import os\nenv = os.environ.copy()\nenv['CUDA_LAUNCH_BLOCKING'] = '1'\n",
        "import os\nenv = dict(os.environ, CUDA_LAUNCH_BLOCKING='1')\n",
        "import os\nos.environ.get('CUDA_LAUNCH_BLOCKING', '1')\n",
        "def test_a(monkeypatch):\n    monkeypatch.setenv('CUDA_LAUNCH_BLOCKING', '1')\n",
        "environ = {}\nenviron['CUDA_LAUNCH_BLOCKING'] = '1'\n",
        "import os\ndef f():\n    os.environ['CUDA_LAUNCH_BLOCKING'] = '1'\n    g()\n    del os.environ['CUDA_LAUNCH_BLOCKING']\n",
        "import os\ndef f():\n    os.environ['CUDA_LAUNCH_BLOCKING'] = '1'\n    g()\n    os.environ.pop('CUDA_LAUNCH_BLOCKING')\n",
        "import os\nfrom unittest import mock\ndef test_a():\n    with mock.patch.dict(os.environ, {'CUDA_LAUNCH_BLOCKING': '1'}):\n        pass\n",
        "!export CUDA_LAUNCH_BLOCKING=1\n!pip install torch\nimport os, torch\nx = torch.ones(2)\n",
        "%env CUDA_LAUNCH_BLOCKING=1\n!pip install torch\nimport os, torch\nx = torch.ones(2)\n",
        "%env CUDA_LAUNCH_BLOCKING\n%env CUDA_LAUNCH_BLOCKING=$x\nimport os, torch\n",
    ],
)
def test_spellings(text: str) -> None:
    expect(BLOCKING, text)


@pytest.mark.parametrize(
    "text",
    [
        "import os, torch\nx = torch.zeros(1, device='cuda')\nos.environ['CUDA_VISIBLE_DEVICES'] = '1'  # bad\n",
        "import os, torch\nx = torch.zeros(1).cuda()\nos.environ['CUDA_VISIBLE_DEVICES'] = '1'  # bad\n",
        "import os, torch\nm.to('cuda:0')\nos.environ['CUDA_VISIBLE_DEVICES'] = '1'  # bad\n",
        "import os, torch\ndev = torch.device('cuda')\nm.to(dev)\nos.environ['CUDA_VISIBLE_DEVICES'] = '1'  # bad\n",
        "import os, torch\nDEV = 'cuda'\nm.to(DEV)\nos.environ['CUDA_VISIBLE_DEVICES'] = '1'  # bad\n",
        "import os, torch\ntorch.cuda.init()\nos.environ['CUDA_VISIBLE_DEVICES'] = '1'  # bad\n",
        "import os, torch\ntorch.cuda.set_device(0)\nif x:\n    os.environ['CUDA_VISIBLE_DEVICES'] = '1'  # bad\n",
        "import os, torch\nprint(torch.cuda.get_device_name(0))\ndef f():\n    os.environ['CUDA_VISIBLE_DEVICES'] = '1'  # bad\n",
        "import os, torch\ndef f():\n    torch.cuda.synchronize()\n    os.environ['CUDA_VISIBLE_DEVICES'] = '1'  # bad\n",
        "import os, torch\nos.environ['CUDA_VISIBLE_DEVICES'] = '1'\nx = torch.zeros(1).cuda()\n",
        "import os\nos.environ['CUDA_VISIBLE_DEVICES'] = '1'\nimport torch\ntorch.cuda.init()\n",
        "import os, torch\ndef g():\n    torch.zeros(1).cuda()\nos.environ['CUDA_VISIBLE_DEVICES'] = '1'\n",
        "import os, torch\ntorch.cuda.manual_seed(1)\nos.environ['CUDA_VISIBLE_DEVICES'] = '1'\n",
        "import os, torch\nif x:\n    pass\nelse:\n    torch.cuda.init()\nos.environ['CUDA_VISIBLE_DEVICES'] = '1'\n",
        "import os, torch\nx = torch.zeros(1, device='cpu')\nos.environ['CUDA_VISIBLE_DEVICES'] = '1'\n",
        "import os, torch\ndev = torch.device('cuda')\nos.environ['CUDA_VISIBLE_DEVICES'] = '1'\n",
    ],
)
def test_too_late_for_cuda(text: str) -> None:
    expect(checker(*VISIBLE), text)


def test_after_an_import_and_other_keys() -> None:
    late = checker({"env": "OMP_NUM_THREADS", "after_import": "torch"})
    expect(late, "import os\nimport torch\nos.environ['OMP_NUM_THREADS'] = '1'  # bad\n")
    expect(late, "import os\nfrom torch import nn\nos.environ['OMP_NUM_THREADS'] = '1'  # bad\n")
    expect(late, "import os\nos.environ['OMP_NUM_THREADS'] = '1'\nimport torch\n")
    expect(late, "import os\nimport torchvision\nos.environ['OMP_NUM_THREADS'] = '1'\n")
    numbers = checker({"env": "*", "value": {"kind": "number"}})
    expect(numbers, "import os\nos.environ['ANYTHING'] = 4  # bad\nos.environ['B'] = '4'\nos.environ[k] = 4  # bad\n")
    called = checker({"env": "A", "after_call": [{"call": "torch.distributed.init_process_group"}, ".launch"]})
    expect(
        called,
        "import os, torch.distributed as dist\nos.environ['A'] = '1'\ndist.init_process_group()\n"
        "os.environ['A'] = '2'  # bad\n",
    )
    malformed = checker({"env": "PYTORCH_CUDA_ALLOC_CONF", "value": {"matches": r"^[^:]*=\d"}})
    expect(malformed, "import os\nos.environ['PYTORCH_CUDA_ALLOC_CONF'] = 'max_split_size_mb=128'  # bad\n")
    expect(malformed, "import os\nos.environ['PYTORCH_CUDA_ALLOC_CONF'] = 'max_split_size_mb:128'\n")
