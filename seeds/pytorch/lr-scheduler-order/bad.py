from torch.optim import lr_scheduler


def make(optimizer):
    return lr_scheduler.StepLR(optimizer, step_size=10, verbose=True)  # finding: 3
