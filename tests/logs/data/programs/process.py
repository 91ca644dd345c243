import multiprocessing

import ops


def work(n):
    ops.call(ops.allocate, n)  # HERE


if __name__ == "__main__":
    process = multiprocessing.Process(target=work, args=(1,))
    process.start()
    process.join()
