"""A backward that keeps the graph, after one that was compiled without."""
import torch

net = torch.compile(torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Sigmoid(), torch.nn.Linear(8, 1)))
x = torch.randn(3, 4)
net(x).mean().backward()
net(x).mean().backward(retain_graph=True)
print("finished")
