import NumericalMethods

extension Diagnostic {
  static let oneDistance = Diagnostic(
    "one-distance",
    "one distance only: measured power and exponent cannot be separated; record at several "
      + "distances, or use the model fixed-exponent",
    value: 1)

  /// Returns diagnostics if the distances are too few or too similar, or the exponent is
  /// implausible.
  static func distances(_ group: PathLossGroup, _ model: PathLossModel) -> [Diagnostic] {
    if case .fixedExponent = model { return [] }
    var found: [Diagnostic] = []
    if group.distances == 2 {
      found.append(
        Diagnostic(
          "too-few-distances",
          "two distances only: the shape of the curve cannot be checked; record at "
            + "more",
          value: 2))
    }
    if let range = group.distanceRange, range.upper < 10 * range.lower {
      found.append(
        Diagnostic(
          "under-one-decade",
          "distances span \(centimetres(range.lower)) to \(centimetres(range.upper)) m, less than one "
            + "decade: the exponent is weakly determined",
          value: range.upper / range.lower))
    }
    if let exponent = group.exponent, exponent < 1 || exponent > 6 {
      found.append(
        Diagnostic(
          "exponent-out-of-range",
          "the exponent is outside 1 to 6: check distances, sensitivity and obstacles before using "
            + "it",
          value: exponent))
    }
    return found
  }
}

/// Rounds a length to centimetres, for messages.
private func centimetres(_ metres: Double) -> Double { (metres * 100).rounded() / 100 }

extension Diagnostic {
  /// Returns a diagnostic if distances alternate, so that hardly any two readings belong to one
  /// stay and errors treat each as independent. This happens in tables that are not in order of
  /// time.
  static func splitStays(_ stations: [Station]) -> Diagnostic? {
    let stays = stations.filter { $0.span != nil }
    let single = stays.count { $0.samples == 1 }
    struct Place: Hashable {
      var beacon: String
      var receiver: String
      var series: String
      var distance: Double
    }
    let places = Set(
      stays.map {
        Place(beacon: $0.beacon, receiver: $0.receiver, series: $0.series, distance: $0.distance)
      })
    guard stays.count >= 30, single * 2 > stays.count, places.count * 4 < stays.count else {
      return nil
    }
    return Diagnostic(
      "split-stays",
      "\(stays.count) stays at \(places.count) distances, most with one reading: the table is not "
        + "in order of time, so errors treat each reading as independent; sort it by time",
      value: Double(stays.count))
  }
}

extension Diagnostic {
  /// Returns diagnostics for walls with a negative loss, which means that places or walls differ
  /// from the site file.
  static func amplifyingWalls(_ group: PathLossGroup) -> [Diagnostic] {
    (group.walls ?? []).compactMap { wall in
      guard let interval = wall.interval, interval.upper < 0 else { return nil }
      return Diagnostic(
        "amplifying-wall",
        "walls of kind \(wall.kind) would amplify by \(shown(-wall.attenuation, 1)) dB (95 %: "
          + "\(shown(-interval.upper, 1)) to \(shown(-interval.lower, 1))): check the "
          + "walls of the site and the places of anchors and truth",
        value: wall.attenuation)
    }
  }
}
