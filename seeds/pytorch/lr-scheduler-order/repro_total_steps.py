import torch

optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.1)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.5, total_steps=4)
for step in range(10):
    optimizer.step()
    scheduler.step()
print(scheduler.get_last_lr())
