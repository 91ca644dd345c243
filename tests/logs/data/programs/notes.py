import ops


def evaluate(model):
    try:
        ops.allocate(model)  # HERE
    except RuntimeError as error:
        error.add_note("while evaluating epoch 3")
        error.add_note("checkpoint: runs/7/last.pt")
        raise


evaluate("resnet")
