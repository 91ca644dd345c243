import torch

optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.1)
sched = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
sched.step()
optimizer.step()
