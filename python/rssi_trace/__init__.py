"""Traces of Bluetooth LE signal strength in Python.

```python
import rssi_trace as rt

with rt.open("walks.h5") as trace:                      # a file of rssi, or of rt.write
    sightings = trace.sightings                         # a DataFrame
    kalman = trace.filtered("kalman")                   # row for row with sightings
    places = trace.truth.at(sightings.time, sightings.receiver, sightings.trace)

rt.write("mine.h5", frame, beacons=beacons)             # a DataFrame of your own logger
figures = rt.run("eval", "walks.h5", cross_validate="traces")
```
"""

from ._version import __version__
from .columns import COLUMNS
from .errors import RSSIError, TraceError
from .program import program, run
from .trace import Trace
from .trace import open as open
from .truth import Truth
from .writing import write

# Without `open`: a star import must not replace that of Python.
__all__ = ["COLUMNS", "RSSIError", "Trace", "TraceError", "Truth", "__version__", "program", "run", "write"]
