import torch


def train(model, loader, optimizer):
    for batch in loader:
        model(batch).sum().backward()
        optimizer.step()
        torch.cuda.empty_cache()  # finding: 0


class Step:
    def training_step(self, batch):
        torch.cuda.empty_cache()  # finding: 0
        return self.model(batch)
