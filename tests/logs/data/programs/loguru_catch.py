from loguru import logger

import ops


def forward(batch, scale):
    return ops.call(ops.allocate, [batch] * scale)  # HERE


@logger.catch
def main():
    forward(2, scale=4)


main()
