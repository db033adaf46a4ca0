import Geometry
import Positioning
import Testing

@Suite("Reaching and leaving spots")
struct SpotWatchTests {
  private let spots = [Point(x: 0, y: 0), Point(x: 6, y: 0)]

  private func at(_ x: Double, deviation: Double = 0.5) -> Outcome {
    let variance = deviation * deviation
    return .located(
      Estimate(
        position: Point(x: x, y: 0),
        uncertainty: .covariance(Covariance(xx: variance, xy: 0, yy: variance))))
  }

  private func names(_ changes: [SpotWatch.Change]) -> [String] {
    changes.map {
      switch $0 {
      case .reached(let spot, _): "reached \(spot)"
      case .left(let spot, _): "left \(spot)"
      }
    }
  }

  @Test func `a walk past two spots reaches and leaves each once`() {
    var watch = SpotWatch(spots)
    var all: [String] = []
    for step in -40...100 { all += names(watch.take(at(Double(step) / 10))) }
    #expect(all == ["reached 0", "left 0", "reached 1", "left 1"])
  }

  @Test func `a node at the edge does not come and go`() {
    var watch = SpotWatch(spots)
    var all: [String] = []
    // Two metres off the probability is a little below a half, and it sways about it.
    for step in 0..<100 { all += names(watch.take(at(step % 2 == 0 ? 1.8 : 2.1))) }
    #expect(all == ["reached 0"])
  }

  @Test func `a position that may be anywhere reaches nothing, and leaves what it was at`() {
    var watch = SpotWatch(spots)
    #expect(names(watch.take(at(0, deviation: 5))).isEmpty)
    #expect(names(watch.take(at(0))) == ["reached 0"])
    #expect(names(watch.take(at(0, deviation: 5))) == ["left 0"])
  }

  @Test func `a spot on another floor is not reached, and a doubtful floor makes it less likely`() {
    var estimate = Estimate(
      position: Point(x: 0, y: 0), uncertainty: .covariance(Covariance(xx: 0.01, xy: 0, yy: 0.01)))
    (estimate.floor, estimate.floorProbabilities) = (1, [0.1, 0.9])
    var watch = SpotWatch([Point(x: 0, y: 0), Point(x: 0, y: 0)], floors: [0, 1])
    let changes = watch.take(.located(estimate))
    guard case .reached(spot: 1, let probability) = changes.first, changes.count == 1 else {
      Issue.record("\(changes)")
      return
    }
    #expect(abs(probability - 0.9) < 1e-6)
    estimate.floorProbabilities = [0.7, 0.3]
    watch = SpotWatch([Point(x: 0, y: 0)], floors: [1])
    #expect(watch.take(.located(estimate)).isEmpty)
  }

  @Test func `no position changes nothing; silence leaves the spot`() {
    var watch = SpotWatch(spots)
    _ = watch.take(at(6))
    #expect(watch.take(.refused(.tooFewAnchors)).isEmpty && watch.current == 1)
    let sure = Estimate(position: Point(x: 0, y: 0), uncertainty: .unavailable(.noErrorModel))
    #expect(watch.take(.located(sure)).isEmpty && watch.current == 1)
    #expect(watch.end() == .left(spot: 1, probability: nil))
    #expect(watch.end() == nil && watch.current == nil)
  }

  @Test func `one of overlapping spots is left before the next is reached`() {
    var watch = SpotWatch([Point(x: 0, y: 0), Point(x: 1.5, y: 0)])
    var all: [String] = []
    for step in -40...60 { all += names(watch.take(at(Double(step) / 10))) }
    #expect(all == ["reached 0", "left 0", "reached 1", "left 1"])
  }
}
