import torch
torch.set_grad_enabled(False)
model = torch.nn.Linear(4, 1)
loss = model(torch.randn(2, 4)).sum()
loss.backward()
