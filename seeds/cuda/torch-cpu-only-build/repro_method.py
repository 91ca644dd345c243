import torch

net = torch.nn.Linear(3, 1)
net.cuda()
print("moved")
