import torch

o = torch.optim.Adam([torch.nn.Parameter(torch.zeros(1))])
s = torch.optim.lr_scheduler.CosineAnnealingLR(o, T_max=5)
s.step()
o.step()
print(s.get_last_lr())
