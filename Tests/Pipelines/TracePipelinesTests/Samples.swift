import Evaluation
import Geometry
import PathLoss
import Positioning
import Sightings
import Support
import Synchronization

@testable import TracePipelines

/// Seconds as nanoseconds.
func seconds(_ seconds: Double) -> Int64 { Int64((seconds * 1e9).rounded()) }

/// A receiver that moves in a trace.
func movingNode(_ id: String, trace: UInt16 = 0, index: UInt32 = 0) -> MovingNode {
  MovingNode(trace: trace, role: .receiver, index: index, traceName: "t\(trace)", id: id)
}

/// A group with constants.
func fittedGroup(
  _ key: String, power: Double, beacon: String? = nil, receiver: String? = nil,
  series: String? = nil
) -> PathLossGroup {
  var group = PathLossGroup(key: key, samples: 10, positions: 3)
  (group.measuredPower, group.exponent, group.sigma) = (power, 2, 4)
  (group.beacon, group.receiver, group.series) = (beacon, receiver, series)
  return group
}

/// A calibration of these groups.
func calibration(
  _ groups: [PathLossGroup], pooled: PathLossGroup = fittedGroup("pooled", power: -60),
  model: String = "log-distance", stations: [Station] = []
) -> Calibration {
  Calibration(
    toolVersion: "", commandLine: "", model: model, estimator: "least-squares",
    settings: FitConfiguration(), by: "pooled", groups: groups, pooled: pooled, excluded: [:],
    inputs: [], stations: stations)
}

/// An anchor's node.
func anchorNode(_ id: String, x: Double, y: Double, z: Double = .nan) -> Node {
  var node = Node(id: id, kind: "")
  (node.x, node.y, node.z) = (x, y, z)
  return node
}

/// An epoch at a place, at a second, with one reading of each level.
func askedEpoch(
  at second: Double = 0, x: Double, y: Double, height: Double? = nil, levels: [Int: Double] = [:]
) -> AskedEpoch {
  let readings = levels.sorted { $0.key < $1.key }.map {
    Reading(time: seconds(second), anchor: $0.key, rssi: $0.value)
  }
  return AskedEpoch(
    HeardEpoch(
      instant: seconds(second), start: seconds(second - 1), levels: readings, readings: readings),
    truth: Point(x: x, y: y), height: height)
}

/// Keeps notes.
final class NoteLog: ActivityLog {
  private let texts = Mutex<[String]>([])
  var notes: [String] { texts.withLock { $0 } }
  func note(_ text: String) { texts.withLock { $0.append(text) } }
}
