import copy
import torch

scale = torch.ones(2, requires_grad=True)
state = {"scaled": scale * 3}
saved = copy.deepcopy(state)
print(saved)
