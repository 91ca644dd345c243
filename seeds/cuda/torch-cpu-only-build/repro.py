import torch

net = torch.nn.Linear(3, 1)
x = torch.ones(2, 3, device="cuda")
print(net.to("cuda")(x).shape)
