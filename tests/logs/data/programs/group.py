import ops


def worker(n):
    if n == 1:
        ops.allocate(n)  # HERE
    raise ValueError(f"worker {n} saw a bad batch")


errors = []
for n in range(3):
    try:
        worker(n)
    except Exception as error:
        errors.append(error)
raise ExceptionGroup("workers failed", [errors[0], ExceptionGroup("inner", errors[1:])])
