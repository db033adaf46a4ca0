import Geometry
import NumericalMethods
import TestSupport
import Testing

@testable import Positioning

/// The shadowings that a Kalman filter estimates, and those that it only considers.
@Suite struct KalmanStateTests {
  private static let anchors = (0..<6).map {
    Anchor(
      place: Point(x: 50, y: Double(10 * $0)), measuredPower: -59, exponent: 2, sigma: 0.02,
      packetSigma: 0.012)
  }

  /// A target in a metre of area so far from the anchors that levels are linear in the place.
  private static func state(mostShadowings: Int) throws -> (KalmanState, MeasurementModel) {
    let bounds = Bounds(minimum: Point(x: -0.5, y: -0.5), maximum: Point(x: 0.5, y: 0.5))
    var surroundings = Surroundings()
    surroundings.bounds = bounds
    let links = MeasurementModel(anchors, map: nil)
    let start = try #require(
      StartingBelief(
        [], links, offsetVariance: 0, mostShadowings: mostShadowings,
        in: WalkableArea(surroundings, bounds: bounds, anchors: anchors)))
    let state = KalmanState(
      start, motion: Pedestrian(), time: 0, mostShadowings: mostShadowings)
    return (state, links)
  }

  private static func level(of anchor: Int) -> TrackedTrace.Level {
    TrackedTrace.Level(
      anchor: anchor, rssi: anchors[anchor].expectedLevel(at: Point(x: 0, y: 0)), packets: 1)
  }

  /// The slope at the centre of the area in dB/m, and the variances in dB² of the shadowing and of a
  /// packet, of the first anchor.
  private static let slope = 20 / 2.302585093 / 50
  private static let (shadowing, packet) = (0.02 * 0.02 - 0.012 * 0.012, 0.012 * 0.012)

  @Test func `an estimated shadowing is that of a regression on all levels`() throws {
    var (state, links) = try Self.state(mostShadowings: 1)
    let before = state.place().covariance[0, 0]
    for count in 1...10 {
      #expect(state.update([Self.level(of: 0)], links) == [false])
      // The levels' mean has the variance of the shadowing and a share of the packets' own.
      let noise = Self.shadowing + Self.packet / Double(count)
      let expected = 1 / (1 / before + Self.slope * Self.slope / noise)
      #expect(isClose(state.place().covariance[0, 0], expected, relative: 1e-3))
    }
  }

  @Test func `a considered shadowing gives the variance of the actual error`() throws {
    var (state, links) = try Self.state(mostShadowings: 0)
    let before = state.place().covariance[0, 0]
    // The error of the place as a sum of the initial error, the shadowing and the packets' errors.
    var (initial, shadow, packets) = (1.0, 0.0, [Double]())
    for count in 1...10 {
      #expect(state.update([Self.level(of: 0)], links) == [false])
      let variance =
        initial * initial * before + shadow * shadow * Self.shadowing
        + packets.reduce(0) { $0 + $1 * $1 * Self.packet }
      let shared = shadow * Self.shadowing
      let expected = Self.slope * Self.slope * variance + 2 * Self.slope * shared + Self.shadowing
      let gain = (Self.slope * variance + shared) / (expected + Self.packet)
      // The error becomes (1 - gain slope) error - gain (shadowing + packet).
      let left = 1 - gain * Self.slope
      (initial, shadow) = (left * initial, left * shadow - gain)
      packets = packets.map { left * $0 } + [-gain]
      let actual =
        initial * initial * before + shadow * shadow * Self.shadowing
        + packets.reduce(0) { $0 + $1 * $1 * Self.packet }
      let claimed = state.place().covariance[0, 0]
      #expect(isClose(claimed, actual, relative: 1e-3))
      // Never less than by the best use of all levels.
      let noise = Self.shadowing + Self.packet / Double(count)
      #expect(claimed > (1 - 1e-3) / (1 / before + Self.slope * Self.slope / noise))
    }
  }

  @Test func `the number of estimated shadowings is bounded, and room is used again`() throws {
    var (state, links) = try Self.state(mostShadowings: 2)
    _ = state.update([0, 1, 2, 3].map(Self.level), links)
    #expect(state.shadowings.count == 2)
    // A minute later the shadowings are those of other places.
    state.advance(to: 60_000_000_000, motion: Pedestrian())
    state.forget(0)
    #expect(state.shadowings.isEmpty)
    _ = state.update([4, 5, 0].map(Self.level), links)
    #expect(state.shadowings.count == 2)
  }

  @Test func `where all shadowings fit, the bound has no effect`() throws {
    let traces = try SimulatedTrace.walks(2, seed: 21)
    for trace in traces {
      var tracker = KalmanTracker(speed: 1, usesMap: false)
      let usual = tracker.locate(trace.scans, in: trace.surroundings)
      tracker.mostShadowings = trace.surroundings.anchors.count
      #expect(tracker.locate(trace.scans, in: trace.surroundings) == usual)
    }
  }

  @Test(arguments: [0, 3])
  func `beyond the bound, positions are as good and claims as honest`(bound: Int) throws {
    let traces = try SimulatedTrace.walks(6, seed: 22)
    var tracker = KalmanTracker(speed: 1, usesMap: false)
    let all = SimulatedTrace.judge(tracker, on: traces)
    tracker.mostShadowings = bound
    let bounded = SimulatedTrace.judge(tracker, on: traces)
    #expect(bounded.errors.count == all.errors.count)
    #expect(bounded.errors.reduce(0, +) < 1.15 * all.errors.reduce(0, +))
    // Chi-squared of two degrees of freedom: 5.99 at 95 %. A walk's epochs are not independent.
    let covered = Double(bounded.scores.count { $0 < 5.991 }) / Double(bounded.scores.count)
    #expect(covered > 0.8, "\(bound) covers \(covered)")
  }
}
