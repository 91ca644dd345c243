import torch

model = torch.nn.Linear(2, 1)
frozen = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(frozen.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu")
loss = model(torch.ones(1, 2)).sum()
scaler.scale(loss).backward()
scaler.step(optimizer)
