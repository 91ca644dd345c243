import os

import torch

os.environ["TORCH_COMPILE_DISABLE"] = "0"
torch._dynamo.config.disable = False


class Options:
    disable = False


options = Options()
options.disable = True


def test_eager_path():
    torch._dynamo.config.disable = True
