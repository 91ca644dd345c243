import torch


class Histogram:
    def __init__(self, bins):
        self.counts = torch.zeros(bins, dtype=torch.long)

    def update(self, values):
        self.counts += values.softmax(0)


histogram = Histogram(4)
histogram.update(torch.randn(4))
print(histogram.counts)
