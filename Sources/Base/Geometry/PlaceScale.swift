/// A reason to doubt that coordinates or distances are in metres.
///
/// All readers of places use it. Only distances between places count, not the places themselves, so
/// offsets of map projections and negative coordinates are allowed.
package struct PlaceDoubt: Equatable, Sendable {
  /// A clause such as `all 8 anchors are within 0.2 mm of each other`.
  package var problem: String
  package var advice: String
  /// A Boolean value that is true if no site is like that, so that the input must be rejected.
  package var isCertain: Bool

  /// The problem, followed by the advice.
  package var words: String { problem + (problem.hasSuffix("?") ? " " : "; ") + advice }
}

/// Checks of the unit of places by the distances between them.
package enum PlaceScale {
  /// A place at a time, in nanoseconds since the Unix epoch.
  package typealias Mark = (time: Int64, place: Point)

  /// The smallest plausible extent of anchors, or of a walk, in metres: that of a site of 5 km in
  /// degrees. Antennas on a bench are farther apart.
  private static let closest = 0.05
  /// The width of a site in metres that no flat has, although many have a hundredth of it.
  private static let wide = 300.0
  /// The distance between neighbouring anchors, in metres, at which a target receives at most one.
  private static let apart = 100.0
  /// A speed in metres per second that no walker, robot or forklift reaches.
  private static let fastest = 30.0
  /// Distances to the nearest anchor in metres: unusual, and beyond the range of Bluetooth LE.
  private static let (far, unreachable) = (200.0, 1000.0)

  private static let metres =
    "convert to metres: project latitude and longitude to a plane (such as UTM), divide "
    + "centimetres by 100, multiply pixels by metres per pixel"

  /// Returns a reason to doubt the unit of places, or `nil` if there is none.
  ///
  /// - Parameters:
  ///   - anchors: The places of fixed nodes.
  ///   - tracks: The places of moving nodes, each track in order of time.
  package static func doubt(anchors: [Point], tracks: [[Mark]] = []) -> PlaceDoubt? {
    let moved = tracks.joined().map(\.place)
    return tooClose(anchors, moved) ?? tooLarge(anchors, tracks, moved) ?? tooFar(anchors, moved)
  }

  /// Returns a reason to doubt the unit of distances between beacons and receivers, or `nil`.
  package static func doubt(distances: [Double]) -> PlaceDoubt? {
    guard let middle = median(distances), middle >= far else { return nil }
    return PlaceDoubt(
      problem: "the distances are \(words(middle)) (median), "
        + (middle >= unreachable ? "beyond the range of" : "unusually far for") + " Bluetooth LE",
      advice: "convert to metres: divide centimetres by 100 or millimetres by 1000, multiply feet "
        + "by 0.3048",
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
    // A node at rest among its anchors also moves this little.
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
          "true positions span \(words(span)), anchors \(words(longerSide(anchors))): are one "
          + "of them in centimetres?", advice: metres, isCertain: true)
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
          + (middle >= unreachable ? "beyond the range of" : "unusually far for")
          + " Bluetooth LE: another origin or unit?", advice: metres,
        isCertain: middle >= unreachable)
    }
    guard anchors.count >= 2, medianSpacing(anchors) >= apart else { return nil }
    return PlaceDoubt(
      problem:
        "anchors are \(words(medianSpacing(anchors))) (median) from the next: centimetres or "
        + "pixels?", advice: metres, isCertain: false)
  }

  /// Returns a Boolean value that is true if places match others in centimetres: they span 300 or
  /// more, and a hundredth of them covers the others to within some metres.
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

  /// Returns the sides of the rectangle around places, in metres; 0 without places.
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

  /// Returns the median distance from a place to its nearest neighbour.
  package static func medianSpacing(_ places: [Point]) -> Double {
    let some = some(places)
    return median(
      some.indices.map { index in
        some.indices.lazy.filter { $0 != index }.map { some[$0].distance(to: some[index]) }.min()
          ?? 0
      }) ?? 0
  }

  /// Returns some hundred places, which represent thousands.
  private static func some(_ places: [Point]) -> [Point] {
    stride(from: 0, to: places.count, by: max(1, places.count / 300)).map { places[$0] }
  }

  private static func median(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.sorted()[values.count / 2]
  }

  /// Formats a length in a suitable unit.
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
