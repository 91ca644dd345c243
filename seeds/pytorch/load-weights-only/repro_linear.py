import torch

torch.save(torch.nn.Linear(2, 2), "layer.pt")
print(torch.load("layer.pt")(torch.ones(1, 2)).shape)
