import torch

model = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2)
for epoch in range(3):
    optimizer.zero_grad()
    model(torch.randn(4, 2)).mean().backward()
    scheduler.step()
    optimizer.step()
print(scheduler.get_last_lr())
