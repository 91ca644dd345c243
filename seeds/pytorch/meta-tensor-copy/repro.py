import torch

net = torch.nn.Sequential(torch.nn.Linear(3, 3, device="meta"), torch.nn.ReLU())
net = net.to("cpu")
print(net[0].weight.device)
