/// The stays at known distances, as readings with a distance arrive.
///
/// Readings of one link in one trace belong to one stay as long as their distance is the same; a
/// distance that comes back later is another stay.
struct OpenDwells: Sendable {
  private var open: [Link: UInt32] = [:]
  private var last: (link: Link, index: UInt32)?

  /// The stay of one reading, which is added to `dwells` where it is new.
  mutating func index(
    of sighting: Sighting, distance: Double, pose: String, in dwells: inout [Dwell]
  ) -> UInt32 {
    let link = Link(
      beacon: sighting.beacon, receiver: sighting.receiver, trace: sighting.trace)
    let current = last.flatMap { $0.link == link ? $0.index : nil } ?? open[link]
    if let current, dwells[Int(current)].distance == distance, dwells[Int(current)].pose == pose {
      dwells[Int(current)].start = min(dwells[Int(current)].start, sighting.time)
      dwells[Int(current)].end = max(dwells[Int(current)].end, sighting.time)
      last = (link, current)
      return current
    }
    let index = UInt32(dwells.count)
    var dwell = Dwell(
      beacon: sighting.beacon, receiver: sighting.receiver, trace: sighting.trace,
      start: sighting.time, end: sighting.time, distance: distance)
    dwell.pose = pose
    dwells.append(dwell)
    open[link] = index
    last = (link, index)
    return index
  }
}
