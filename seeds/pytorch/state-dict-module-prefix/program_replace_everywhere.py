"""Names with "module." in the middle are broken."""

import torch

net = torch.nn.ModuleDict({"submodule": torch.nn.Linear(2, 2)})
saved = {"module." + key: value for key, value in net.state_dict().items()}
net.load_state_dict({key.replace("module.", ""): value for key, value in saved.items()})
