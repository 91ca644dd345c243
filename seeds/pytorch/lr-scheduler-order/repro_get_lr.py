import torch

optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=10)
optimizer.step()
scheduler.step()
print(scheduler.get_lr())
