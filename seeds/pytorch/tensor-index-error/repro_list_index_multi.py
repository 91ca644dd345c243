import torch

names = ["cat", "dog", "bird"]
print(names[torch.tensor([0, 1])])
