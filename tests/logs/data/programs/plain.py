import ops


class Net:
    def forward(self, x):
        y = [x] * 2
        return ops.allocate(y)  # HERE


def train():
    net = Net()
    for step in range(3):
        ops.call(net.forward, step)


train()
