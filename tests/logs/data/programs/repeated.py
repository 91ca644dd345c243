import ops


def deeper(n):
    if n == 0:
        return ops.allocate(n)  # HERE
    return deeper(n - 1)


deeper(20)
