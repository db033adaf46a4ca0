import Geometry

/// The places of a survey, each once, and which of them each level of each anchor is from.
struct SharedPlaces {
  private(set) var places: [Point] = []
  /// By anchor and level.
  private(set) var numbers: [[Int]] = []

  /// - Parameter levels: of each anchor.
  init(_ levels: [[SurveyedLevel]]) {
    struct Place: Hashable { var x, y: Double }
    var known: [Place: Int] = [:]
    numbers = levels.map { levels in
      levels.map { level in
        let place = Place(x: level.place.x, y: level.place.y)
        if let number = known[place] { return number }
        known[place] = places.count
        places.append(level.place)
        return places.count - 1
      }
    }
  }
}
