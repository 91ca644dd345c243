import torch

config = {"lr": "1e-3"}
model = torch.nn.Linear(2, 2)
optimizer = torch.optim.Adam(model.parameters(), lr=config["lr"])
print(optimizer.param_groups[0]["lr"])
