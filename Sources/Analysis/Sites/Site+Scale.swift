package import Geometry

extension Site {
  /// The longer side of the rectangle around all walls and rooms, in metres; 0 where nothing is
  /// drawn.
  package var extent: Double { Self.longerSide(walls.flatMap(\.points) + rooms.flatMap(\.polygon)) }

  /// Whether walls and rooms look as if they were drawn in centimetres.
  ///
  /// A site of 3 m or more is then drawn 300 m long, no room narrower than 100 m, no wall shorter
  /// than 10 m; and either its anchors are spread over the hundredth part of it, being in metres,
  /// or, being in centimetres too, they are 100 m from each other, so that no one hears two of
  /// them. Large sites are not like that: a mall has rooms narrower than 100 m, a hall has anchors
  /// nearer than 100 m, and a campus without rooms may have them that far apart.
  ///
  /// - Parameter anchors: the places of all nodes that are known, whichever file stated them.
  package func looksLikeCentimetres(anchors: [Point]) -> Bool {
    let corners = walls.flatMap(\.points) + rooms.flatMap(\.polygon)
    guard let drawn = Bounds(around: corners), let known = Bounds(around: anchors),
      anchors.count >= 2, Self.longerSide(corners) >= 300,
      rooms.allSatisfy({ Self.shorterSide($0.polygon) >= 100 }),
      walls.allSatisfy({ Self.longerSide($0.points) >= 10 })
    else { return false }
    // Anchors hang on the walls or some metres beyond them.
    let margin = Self.longerSide(corners) / 100 / 4
    func fits(_ low: Double, _ high: Double, _ drawnLow: Double, _ drawnHigh: Double) -> Bool {
      low >= drawnLow / 100 - margin && high <= drawnHigh / 100 + margin
    }
    if Self.longerSide(anchors) >= margin,
      fits(known.minimum.x, known.maximum.x, drawn.minimum.x, drawn.maximum.x),
      fits(known.minimum.y, known.maximum.y, drawn.minimum.y, drawn.maximum.y)
    {
      return true
    }
    return !rooms.isEmpty && Self.medianSpacing(anchors) >= 100
  }

  private static func sides(_ places: [Point]) -> (Double, Double) {
    guard let box = Bounds(around: places) else { return (0, 0) }
    return (box.maximum.x - box.minimum.x, box.maximum.y - box.minimum.y)
  }

  private static func longerSide(_ places: [Point]) -> Double {
    max(sides(places).0, sides(places).1)
  }

  private static func shorterSide(_ places: [Point]) -> Double {
    min(sides(places).0, sides(places).1)
  }

  /// The median distance from a place to the nearest other one.
  private static func medianSpacing(_ places: [Point]) -> Double {
    // Some hundred show what thousands would.
    let some = places.prefix(500)
    let nearest = some.indices.map { index in
      some.indices.lazy.filter { $0 != index }.map { some[$0].distance(to: some[index]) }.min() ?? 0
    }
    return nearest.sorted()[nearest.count / 2]
  }
}
