"""scikit-learn's random forest of 200 trees on the levels of a survey."""

from rssi_exec import fingerprints, serve
from sklearn.ensemble import RandomForestRegressor

serve(lambda site: fingerprints(site, RandomForestRegressor(200, min_samples_leaf=2, random_state=1).fit))
