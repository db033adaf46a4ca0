// Follow the level of one link with a Kalman filter in real time.

import RSSIKit

// snippet.show
var filter = KalmanFilter(q: 0.5, r: 9)
for (time, rssi) in [(0.0, -61.0), (0.1, -67.0), (0.9, -63.0)] {
  // Times in nanoseconds: the older a level is, the less the filter trusts it.
  let level = filter.update(time: Int64(time * 1e9), rssi: rssi, channel: 37)
  print(level.rssi, "±", level.variance.squareRoot())
}
// snippet.end
