import torch
from torch.optim.lr_scheduler import OneCycleLR


class Loop:
    def __init__(self, epochs=2, steps=3):
        self.net = torch.nn.Linear(1, 1)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.sched = OneCycleLR(self.opt, max_lr=0.1, total_steps=steps)
        self.epochs, self.steps = epochs, steps

    def run(self):
        for _ in range(self.epochs):
            for _ in range(self.steps):
                self.opt.step()
                self.sched.step()


Loop().run()
