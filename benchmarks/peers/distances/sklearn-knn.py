"""scikit-learn's k-nearest neighbours on the levels of known distances, as for positions."""

import runpy
import sys
from pathlib import Path

peers = Path(__file__).parents[1]
sys.path.insert(0, str(peers))
runpy.run_path(str(peers / "sklearn-knn.py"))
