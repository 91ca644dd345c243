import torch

torch.autograd.set_detect_anomaly(False)


def test_gradients(model, x):
    with torch.autograd.set_detect_anomaly(True):
        model(x).sum().backward()


def debug(model, x, wanted):
    torch.autograd.set_detect_anomaly(wanted)
    model(x).sum().backward()


def fit(arguments, model):
    if arguments.debug:
        torch.autograd.set_detect_anomaly(True)
    return model


def look(model, x):
    with torch.autograd.set_detect_anomaly(True):
        model(x).sum().backward()


def fit(args, model):
    if args.detect_anomaly:
        torch.autograd.set_detect_anomaly(True)
    return model
