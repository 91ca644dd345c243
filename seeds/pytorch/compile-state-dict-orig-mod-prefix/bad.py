import torch

net = torch.nn.Linear(2, 2)
model = torch.compile(net)
torch.save(model.state_dict(), "model.pt")  # finding: 2
