from torch.optim import lr_scheduler


def make(optimizer):
    scheduler = lr_scheduler.StepLR(optimizer, step_size=10)
    print(scheduler.get_last_lr())
    return scheduler
