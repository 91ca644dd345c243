import torch

weight = torch.nn.Parameter(torch.randn(3))
running = 0.0
for step in range(3):
    loss = (weight ** 2).sum()
    loss.backward()
    running += loss
print("mean loss", float(running) / 3)
