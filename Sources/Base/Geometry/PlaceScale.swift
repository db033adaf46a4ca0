/// A reason to doubt that coordinates or distances are in metres.
///
/// All readers of places ask here. Nothing is judged by where places are, so that offsets of map
/// projections and negative coordinates are fine; only how far they are from each other counts.
package struct PlaceDoubt: Equatable, Sendable {
  /// A clause such as `all 8 anchors are within 0.2 mm of each other`.
  package var problem: String
  package var advice: String
  /// A Boolean value that is true if no site is like that, so that the input is to be refused.
  package var isCertain: Bool

  /// The problem and what to do about it.
  package var words: String { problem + (problem.hasSuffix("?") ? " " : "; ") + advice }
}

/// How far places are from each other, and what that shows of their unit.
package enum PlaceScale {
  /// A place at a time, nanoseconds since the Unix epoch.
  package typealias Mark = (time: Int64, place: Point)

  /// Metres within which anchors, or places of a walk, are not all: degrees of a site of up to 5
  /// km. Antennas at a bench are farther apart.
  private static let closest = 0.05
  /// Metres from one side of a site to the other that no flat has; a hundredth of it many have.
  private static let wide = 300.0
  /// Metres between neighbouring anchors: a target hears one at most.
  private static let apart = 100.0
  /// Metres per second that no walker, robot or fork-lift truck reaches.
  private static let fastest = 30.0
  /// Metres to the nearest anchor, or of a known distance: unusual, and beyond the reach of
  /// Bluetooth LE.
  private static let (far, unreachable) = (200.0, 1000.0)

  private static let metres =
    "write metres: latitude and longitude projected to a plane (such as UTM), centimetres divided by "
    + "100, pixels times the metres of a pixel"

  /// What gives reason to doubt the unit of places; nil for nothing.
  ///
  /// - Parameters:
  ///   - anchors: the places of fixed nodes.
  ///   - tracks: where moving nodes were, each in order of time.
  package static func doubt(anchors: [Point], tracks: [[Mark]] = []) -> PlaceDoubt? {
    let moved = tracks.joined().map(\.place)
    return tooClose(anchors, moved) ?? tooLarge(anchors, tracks, moved) ?? tooFar(anchors, moved)
  }

  /// What gives reason to doubt the unit of distances between beacons and receivers.
  package static func doubt(distances: [Double]) -> PlaceDoubt? {
    guard let middle = median(distances), middle >= far else { return nil }
    return PlaceDoubt(
      problem: "the distances are \(words(middle)) (median), "
        + (middle >= unreachable ? "beyond the reach of" : "unusually far for") + " Bluetooth LE",
      advice: "write metres: centimetres divided by 100, millimetres by 1000, feet times 0.3048",
      isCertain: middle >= unreachable)
  }

  private static func tooClose(_ anchors: [Point], _ moved: [Point]) -> PlaceDoubt? {
    let extent = longerSide(anchors)
    if extent > 0, extent < closest {
      return PlaceDoubt(
        problem:
          "all \(anchors.count) anchors are within \(words(extent)) of each other: degrees or "
          + "kilometres?", advice: metres, isCertain: true)
    }
    let walked = longerSide(moved)
    guard walked > 0, walked < closest, Set(moved).count >= 3, let place = moved.first,
      let box = Bounds(around: anchors)
    else { return nil }
    // A node at rest moves so little too, among its anchors.
    let margin = max(10, extent)
    guard
      place.x < box.minimum.x - margin || place.x > box.maximum.x + margin
        || place.y < box.minimum.y - margin || place.y > box.maximum.y + margin
    else { return nil }
    return PlaceDoubt(
      problem: "all true positions are within \(words(walked)) of each other, outside the anchors: "
        + "degrees?", advice: metres, isCertain: true)
  }

  private static func tooLarge(
    _ anchors: [Point], _ tracks: [[Mark]], _ moved: [Point]
  ) -> PlaceDoubt? {
    let span = longerSide(moved)
    if isHundredfold(moved, of: anchors) || isHundredfold(anchors, of: moved) {
      return PlaceDoubt(
        problem:
          "true positions span \(words(span)), anchors \(words(longerSide(anchors))): is one "
          + "in centimetres?", advice: metres, isCertain: true)
    }
    guard span >= wide else { return nil }
    let speeds = tracks.flatMap { track in
      zip(track, track.dropFirst()).compactMap { a, b -> Double? in
        let way = a.place.distance(to: b.place)
        return way > 0 && b.time > a.time ? way / (Double(b.time - a.time) / 1e9) : nil
      }
    }
    guard speeds.count >= 5, let speed = median(speeds), speed >= fastest else { return nil }
    return PlaceDoubt(
      problem: "true positions span \(words(span)) and move at \(Int(speed)) m/s (median): "
        + "centimetres or pixels?", advice: metres, isCertain: true)
  }

  private static func tooFar(_ anchors: [Point], _ moved: [Point]) -> PlaceDoubt? {
    let nearest = some(moved).compactMap { place in
      some(anchors).lazy.map { $0.distance(to: place) }.min()
    }
    if let middle = median(nearest), middle >= far {
      return PlaceDoubt(
        problem: "true positions are \(words(middle)) (median) from the nearest anchor, "
          + (middle >= unreachable ? "beyond the reach of" : "unusually far for")
          + " Bluetooth LE: another origin or unit?", advice: metres,
        isCertain: middle >= unreachable)
    }
    guard anchors.count >= 2, medianSpacing(anchors) >= apart else { return nil }
    return PlaceDoubt(
      problem:
        "anchors are \(words(medianSpacing(anchors))) (median) from the next: centimetres or "
        + "pixels?", advice: metres, isCertain: false)
  }

  /// Returns whether places are those of others, but in centimetres: 300 or more across, and a
  /// hundredth of them has the others on it or some metres beyond.
  package static func isHundredfold(_ drawn: [Point], of others: [Point]) -> Bool {
    guard let drawnBox = Bounds(around: drawn), let box = Bounds(around: others),
      others.count >= 2, longerSide(drawn) >= wide
    else { return false }
    let margin = longerSide(drawn) / 100 / 4
    func fits(_ low: Double, _ high: Double, _ drawnLow: Double, _ drawnHigh: Double) -> Bool {
      low >= drawnLow / 100 - margin && high <= drawnHigh / 100 + margin
    }
    return longerSide(others) >= margin
      && fits(box.minimum.x, box.maximum.x, drawnBox.minimum.x, drawnBox.maximum.x)
      && fits(box.minimum.y, box.maximum.y, drawnBox.minimum.y, drawnBox.maximum.y)
  }

  /// The sides of the rectangle around places, in metres; 0 without places.
  private static func sides(_ places: [Point]) -> (Double, Double) {
    guard let box = Bounds(around: places) else { return (0, 0) }
    return (box.maximum.x - box.minimum.x, box.maximum.y - box.minimum.y)
  }

  package static func longerSide(_ places: [Point]) -> Double {
    max(sides(places).0, sides(places).1)
  }

  package static func shorterSide(_ places: [Point]) -> Double {
    min(sides(places).0, sides(places).1)
  }

  /// The median distance from a place to the nearest other one.
  package static func medianSpacing(_ places: [Point]) -> Double {
    let some = some(places)
    return median(
      some.indices.map { index in
        some.indices.lazy.filter { $0 != index }.map { some[$0].distance(to: some[index]) }.min()
          ?? 0
      }) ?? 0
  }

  /// Some hundred places, which show what thousands would.
  private static func some(_ places: [Point]) -> [Point] {
    stride(from: 0, to: places.count, by: max(1, places.count / 300)).map { places[$0] }
  }

  private static func median(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.sorted()[values.count / 2]
  }

  /// A length with a unit that suits it.
  private static func words(_ length: Double) -> String {
    func rounded(_ value: Double) -> String {
      let tenths = (value * 10).rounded() / 10
      return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
    }
    return length < 0.001
      ? "\(rounded(length * 1e6)) µm"
      : length < 1
        ? "\(rounded(length * 1000)) mm"
        : length < 10_000 ? "\(rounded(length)) m" : "\(rounded(length / 1000)) km"
  }
}
