import torch
import torch._dynamo

torch._dynamo.config.recompile_limit = 0

model = torch.compile(torch.nn.Linear(4, 4), backend="eager")
for size in range(1, 20):
    model(torch.randn(size, 4))
