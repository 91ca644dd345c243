import ops


def step(batch):
    try:
        return {}["batch"]
    except KeyError:
        return ops.call(ops.allocate, batch)  # HERE


step(1)
