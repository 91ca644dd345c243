import warnings


def fit(lr):
    warnings.warn("Detected call of `lr_scheduler.step()` before `optimizer.step()`. Details follow.")  # HERE
    return lr


fit(0.1)
print("trained")
