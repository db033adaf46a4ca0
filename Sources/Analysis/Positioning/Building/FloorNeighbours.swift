import Geometry

/// The surveyed windows whose receptions are most similar to those of a scan, over all floors.
///
/// The similarity is the cosine of the angle between two receptions, as vectors of the strengths
/// above `base` of all anchors, 0 where nothing was received. The floor is that of the nearest
/// windows by their similarities, and the position their weighted mean there.
struct FloorNeighbours {
  private let survey: [SurveyPoint]
  private let neighbours: Int
  private let floors: Int
  /// The surveyed windows in which each anchor was received, with its share of the vector.
  private var received: [[(window: Int, share: Float)]]

  /// The level in dBm of an anchor that is not received, below the sensitivity of receivers.
  private static let base = -105.0

  /// - Parameter neighbours: The number of neighbours; 5 by default.
  init(_ survey: [SurveyPoint], on building: Building, anchors: Int, neighbours: Int?) {
    self.survey = survey
    self.neighbours = neighbours ?? 5
    floors = building.floors.count
    received = Array(repeating: [], count: anchors)
    for (window, point) in survey.enumerated() {
      for (anchor, share) in Self.direction(point.levels, anchors: anchors) {
        received[anchor].append((window, share))
      }
    }
  }

  private static func direction(
    _ levels: [Reading], anchors: Int
  ) -> [(anchor: Int, share: Float)] {
    let strengths = levels.filter { (0..<anchors).contains($0.anchor) && $0.rssi > base }
      .map { (anchor: $0.anchor, strength: Float($0.rssi - base)) }
    let length = strengths.reduce(0) { $0 + $1.strength * $1.strength }.squareRoot()
    return strengths.map { ($0.anchor, $0.strength / length) }
  }

  /// Returns one answer per scan.
  func answers(_ scans: [Scan]) -> [Outcome] {
    scans.map { scan in
      do throws(Refusal) { return .located(try estimate(scan)) } catch { return .refused(error) }
    }
  }

  /// - Throws: `Refusal` if no anchor of the survey is received.
  private func estimate(_ scan: Scan) throws(Refusal) -> Estimate {
    guard received.contains(where: { !$0.isEmpty }) else { throw .noSurvey }
    let levels = scan.observations.map {
      Reading(time: 0, anchor: $0.number, rssi: $0.rssi, packets: $0.packets)
    }
    var similarities: [Int: Float] = [:]
    for (anchor, share) in Self.direction(levels, anchors: received.count) {
      for other in received[anchor] {
        similarities[other.window, default: 0] += share * other.share
      }
    }
    let nearest = similarities.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(neighbours)
    guard !nearest.isEmpty else { throw .tooFewAnchors }
    var votes = [Double](repeating: 0, count: floors)
    for (window, similarity) in nearest { votes[survey[window].floor] += Double(similarity) }
    let total = votes.reduce(0, +)
    guard let floor = votes.indices.max(by: { votes[$0] < votes[$1] }), total > 0 else {
      throw .tooFewAnchors
    }
    var (mean, weight) = (Point(x: 0, y: 0), 0.0)
    for (window, similarity) in nearest where survey[window].floor == floor {
      weight += Double(similarity)
      let share = Double(similarity) / weight
      mean.x += share * (survey[window].place.x - mean.x)
      mean.y += share * (survey[window].place.y - mean.y)
    }
    var estimate = Estimate(position: mean, uncertainty: .unavailable(.noErrorModel))
    estimate.floor = floor
    estimate.floorProbabilities = votes.map { $0 / total }
    return estimate
  }
}
