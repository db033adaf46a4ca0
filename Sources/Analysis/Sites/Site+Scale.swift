package import Geometry

extension Site {
  /// The longer side of the rectangle around all walls and rooms, in metres; 0 where nothing is
  /// drawn.
  package var extent: Double { PlaceScale.longerSide(drawn) }

  private var drawn: [Point] { walls.flatMap(\.points) + rooms.flatMap(\.polygon) }

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
    guard anchors.count >= 2, extent >= 300,
      rooms.allSatisfy({ PlaceScale.shorterSide($0.polygon) >= 100 }),
      walls.allSatisfy({ PlaceScale.longerSide($0.points) >= 10 })
    else { return false }
    return PlaceScale.isHundredfold(drawn, of: anchors)
      || !rooms.isEmpty && PlaceScale.medianSpacing(anchors) >= 100
  }
}
