import concurrent.futures

import ops


def work(n):
    return ops.allocate(n)  # HERE


if __name__ == "__main__":
    with concurrent.futures.ProcessPoolExecutor(1) as pool:
        print(pool.submit(work, 1).result())
