import copy

import torch


class Recorder:
    def __init__(self, net):
        self.net = net
        self.last = None

    def observe(self, x):
        self.last = self.net(x)

    def snapshot(self):
        return copy.deepcopy(self)


recorder = Recorder(torch.nn.Linear(2, 2))
recorder.observe(torch.randn(1, 2))
print(recorder.snapshot().last)
