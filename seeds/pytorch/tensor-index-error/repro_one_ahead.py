import torch


def steps(values):
    found = []
    for i in range(len(values)):
        found.append(values[i + 1] - values[i])
    return found


print(steps(torch.arange(4.0)))
