import torch

optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.1)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.5, epochs=2, steps_per_epoch=3)
for epoch in range(3):
    for batch in range(3):
        optimizer.step()
        scheduler.step()
print(scheduler.get_last_lr())
