"""Traces of many rows, made from a few imported ones, for benchmarks."""


def lengthen(sightings, rows):
    """Gives every column of the sightings so many rows, each as its first one."""
    block = 1 << 20
    for column in sightings.values():
        value = column[0]
        column.resize((rows,))
        for first in range(0, rows, block):
            column[first:min(rows, first + block)] = value
