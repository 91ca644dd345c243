import torch

net = torch.nn.Linear(3, 2)
x = torch.ones(4, 3, device="meta")  # stands for cuda: the model stayed on the CPU
print(net(x).shape)
