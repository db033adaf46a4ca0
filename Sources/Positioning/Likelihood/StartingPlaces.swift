/// Where the descents of ``MaximumLikelihood`` start, all inside the box.
///
/// - A 4 × 4 grid over the box finds the broad valleys.
/// - Four places on each anchor's circle: a valley about a short circle is too narrow for any grid.
/// - The points where the circles of the four nearest anchors meet in pairs, or come nearest to each
///   other: with exact levels the target is one of them, under noise it is near one.
func startingPlaces(_ observations: [Observation], box: SearchBox) -> [Point] {
  let across = 4
  var places: [Point] = []
  places.reserveCapacity(across * across + 4 * observations.count + 12)
  let stepX = (box.maximum.x - box.minimum.x) / Double(across)
  let stepY = (box.maximum.y - box.minimum.y) / Double(across)
  for row in 0..<across {
    for column in 0..<across {
      places.append(
        Point(
          x: box.minimum.x + (Double(column) + 0.5) * stepX,
          y: box.minimum.y + (Double(row) + 0.5) * stepY))
    }
  }
  for observation in observations {
    // Straight under an anchor the gradient vanishes: stay off it.
    let radius = max(observation.range, 1e-3 * observation.slantRange)
    let (x, y) = (observation.anchor.x, observation.anchor.y)
    places.append(box.clamp(Point(x: x + radius, y: y)))
    places.append(box.clamp(Point(x: x - radius, y: y)))
    places.append(box.clamp(Point(x: x, y: y + radius)))
    places.append(box.clamp(Point(x: x, y: y - radius)))
  }
  let circles = observations.nearest(4).map { Circle($0) }
  for (i, a) in circles.enumerated() {
    for b in circles[(i + 1)...] {
      if let (left, right) = a.intersections(with: b) {
        places.append(box.clamp(left))
        places.append(box.clamp(right))
      } else if let between = a.between(b) {
        places.append(box.clamp(between))
      }
    }
  }
  return places
}
