import torch

net = torch.nn.Linear(2, 2)
model = torch.compile(net)
torch.save(net.state_dict(), "model.pt")
torch.save(model._orig_mod.state_dict(), "inner.pt")
net.compile()
torch.save(net.state_dict(), "in_place.pt")
