import torch

model = torch.compile(torch.nn.Linear(4, 4), backend="eager", dynamic=False)
for size in range(2, 16):
    model(torch.randn(size, 4))
print("done")
