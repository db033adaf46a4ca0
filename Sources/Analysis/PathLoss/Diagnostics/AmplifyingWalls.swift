import NumericalMethods

extension Diagnostic {
  /// Walls that would add to a level: no real wall does, so places or walls are not where the site
  /// has them.
  static func amplifyingWalls(_ group: PathLossGroup) -> [Diagnostic] {
    (group.walls ?? []).compactMap { wall in
      guard let interval = wall.interval, interval.upper < 0 else { return nil }
      return Diagnostic(
        "amplifying-wall",
        "a wall of kind \(wall.kind) would add \(shown(-wall.attenuation, 1)) dB (95 %: "
          + "\(shown(-interval.upper, 1)) to \(shown(-interval.lower, 1))), and no wall does: check the "
          + "walls of the site and the places of anchors and truth",
        value: wall.attenuation)
    }
  }
}
