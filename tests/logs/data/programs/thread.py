import threading

import ops


def prefetch():
    ops.allocate(1)  # HERE


thread = threading.Thread(target=prefetch)
thread.start()
thread.join()
