import logging

import ops

logging.basicConfig(format="%(asctime)s | %(levelname)-8s | rank0 | %(name)s:%(lineno)d | %(message)s", level="INFO")
log = logging.getLogger("trainer")


def main():
    log.info("starting")
    try:
        ops.call(ops.allocate, 3)  # HERE
    except RuntimeError:
        log.exception("Training failed")
    log.info("bye")


main()
