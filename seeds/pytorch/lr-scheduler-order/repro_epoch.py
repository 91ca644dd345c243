import torch

optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=10)
for epoch in range(2):
    optimizer.step()
    scheduler.step(epoch)
print(scheduler.get_last_lr())
