/// A pose as all the receivers that heard a beacon in it have it: they heard the same placement of
/// the beacon, so together they are one pose, not several.
struct SharedPose {
  /// Shows poses at one distance apart.
  var name: String
  /// What each receiver heard, at one distance.
  var parts: [PoseTable.Pose]

  /// The poses of one beacon that have a distance, in order.
  ///
  /// Receivers share a pose of one name and distance where their times have half of the shorter in
  /// common: a receiver that hears little of a pose begins later and ends earlier.
  static func all(of poses: [PoseTable.Pose]) -> [SharedPose] {
    var shared: [SharedPose] = []
    var alike: [String: [Int]] = [:]
    for pose in poses {
      guard let distance = pose.distance else { continue }
      let key = "\(pose.name)\u{0}\(distance)"
      let others = alike[key] ?? []
      if let same = others.last(where: { shared[$0].isHeard(by: pose) }) {
        shared[same].parts.append(pose)
      } else {
        alike[key, default: []].append(shared.count)
        let name = others.isEmpty ? pose.name : "\(pose.name) (\(others.count + 1))"
        shared.append(SharedPose(name: name, parts: [pose]))
      }
    }
    return shared
  }

  /// Whether another receiver's pose is this one.
  private func isHeard(by other: PoseTable.Pose) -> Bool {
    parts.contains { $0.isAtTheTime(of: other) }
      && parts.allSatisfy { $0.receiver != other.receiver }
  }
}

extension PoseTable.Pose {
  fileprivate func isAtTheTime(of other: PoseTable.Pose) -> Bool {
    // In floating point, as a file may hold any times.
    let common = Double(min(end, other.end)) - Double(max(start, other.start))
    let shorter = min(Double(end) - Double(start), Double(other.end) - Double(other.start))
    return common >= shorter / 2
  }
}
