import torch

optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.1)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
optimizer.step()
scheduler.step()
