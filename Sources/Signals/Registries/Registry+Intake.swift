package import Sightings

extension Registry {
  /// Gives the beacons that were heard what the registry knows of them: a name and a place where
  /// they have none, and a measured power.
  package func describeBeacons<Sink: SightingSink & ~Copyable>(of intake: inout Intake<Sink>) {
    for (index, node) in intake.catalogue.beacons.enumerated() {
      guard let known = self[id: node.id] else { continue }
      intake.update(.beacon, UInt32(index)) { node in
        if node.name.isEmpty, let name = known.name { node.name = name }
        if !node.isAnchor, let x = known.x, let y = known.y {
          node.x = x
          node.y = y
          node.z = known.z ?? node.z
        }
        // What was measured on this beacon is nearer to the truth than what it states for its kind.
        if let power = known.measuredPower { node.measuredPower = Float(power) }
      }
    }
  }
}
