import Geometry
import RealModule
package import Support

/// The common part of the grid filter and the grid smoother: the steps of a track, and the
/// transition from one to the next.
struct GridTracking {
  private(set) var track: Track
  let grid: Grid
  /// The motions at the speeds that the target may have.
  let motions: [GridMotion]
  var tables: GridLevels
  let halfLimit: Float

  /// - Throws: `Refusal` if no scan can be answered.
  init(
    _ scans: [Scan], in surroundings: Surroundings, settings: GridSettings
  ) throws(Refusal) {
    let observations = scans.flatMap(\.observations).filter(\.isValid)
    guard let bounds = surroundings.gridBounds(for: observations) else {
      let isSpoilt = scans.contains { !$0.observations.isEmpty }
      throw isSpoilt ? .invalidRange : .tooFewAnchors
    }
    if settings.usesMap, surroundings.radioMap == nil { throw .noSurvey }
    let largest = surroundings.walls.isEmpty ? .infinity : Grid.longestBesideWalls
    guard
      let grid = Grid(
        bounds, heights: surroundings.gridHeights(for: observations), rooms: surroundings.rooms,
        margin: Grid.halfWall, largestCell: largest)
    else { throw .invalidRange }
    // Cells wider than doors would close them: on so large a site walls are ignored.
    // The passages between cells are found once for all speeds.
    let motion = GridMotion(
      grid, speed: settings.speed ?? Self.usualSpeed, walls: grid.isCoarse ? [] : surroundings.walls
    )
    motions = (settings.speed.map { [$0] } ?? Self.guesses).map { speed in
      var motion = motion
      motion.speed = speed
      return motion
    }
    self.grid = grid
    tables = GridLevels(
      grid: grid, anchors: surroundings.anchors, map: settings.usesMap ? surroundings.radioMap : nil
    )
    track = Track(
      anchors: surroundings.anchors,
      independence: LevelIndependence(
        speed: settings.speed ?? LevelIndependence.decorrelation / Self.correlationTime),
      stepDuration: motion.stepDuration, silence: settings.usesSilence,
      receptions: settings.usesSilence
        ? ReceptionEvidence(surroundings.radioMap, usesMap: settings.usesMap) : nil)
    track.append(scans, tables: &tables)
    halfLimit = Float(settings.cutoff * settings.cutoff / 2)
  }

  /// The speeds of a target of unknown speed, in m/s, and the mean time for which it has one.
  private static let (guesses, meanTime) = ([0.5, usualSpeed, 2], 60.0)
  private static let usualSpeed = 1.0
  /// The correlation time of the levels of a target of unknown speed, in seconds.
  ///
  /// It is one for all speeds, because with a longer one for slow targets the weights of the levels
  /// alone would decide the speed.
  private static let correlationTime = 2.0

  /// Appends a scan, forgets the first steps, and returns the steps of the scan.
  mutating func take(_ scan: Scan, forgetting count: Int) -> Range<Int> {
    track.forget(count)
    let first = track.steps.count
    track.append([scan], tables: &tables)
    return first..<track.steps.count
  }

  /// The initial weights of the target.
  var start: [CellWeights] {
    Array(repeating: CellWeights(flatOn: grid), count: motions.count)
  }

  /// Advances from the previous step to a step: moves the target, and applies the levels there.
  mutating func advance(_ weights: inout [CellWeights], to step: Int) {
    if step > 0 {
      let seconds = seconds(before: step)
      for (index, motion) in motions.enumerated() {
        motion.spread(&weights[index], seconds: seconds)
      }
      weights.mixSpeeds(Self.changes(in: seconds))
    }
    hear(&weights, at: step)
  }

  /// Retreats from a step to the previous one: applies the levels at the step, and moves the
  /// target.
  mutating func retreat(_ weights: inout [CellWeights], from step: Int) {
    hear(&weights, at: step)
    let seconds = seconds(before: step)
    weights.mixSpeeds(Self.changes(in: seconds))
    for (index, motion) in motions.enumerated() {
      motion.spread(&weights[index], seconds: seconds, backwards: true)
    }
  }

  /// Returns the probability that a target changes its speed within a time in seconds.
  private static func changes(in seconds: Double) -> Float {
    Float(-Double.expMinusOne(-seconds / meanTime))
  }

  private mutating func hear(_ weights: inout [CellWeights], at step: Int) {
    if let costs = track.costs(ofStep: step, tables: &tables, halfLimit: halfLimit) {
      weights.multiply(byExpOfMinus: costs)
    }
  }

  private func seconds(before step: Int) -> Double {
    max(0, Double(track.steps[step].time - track.steps[step - 1].time) * 1e-9)
  }

  /// Returns the answer about a step, given everything up to a later step.
  ///
  /// - Parameter forward: The weights at the step.
  mutating func outcome(_ forward: [CellWeights], ofStep step: Int, seenFrom last: Int) -> Outcome {
    guard step < last else { return outcome(forward) }
    var backward = start
    for later in ((step + 1)...last).reversed() { retreat(&backward, from: later) }
    return outcome(forward, times: backward)
  }

  /// Returns the answer to a question from the forward and the backward weights.
  func outcome(_ forward: [CellWeights], times backward: [CellWeights]? = nil) -> Outcome {
    if let estimate = forward.estimate(on: grid, times: backward) { return .located(estimate) }
    // The forward and backward weights exclude each other, as on two sides of a wall.
    return .refused(.notConverged)
  }
}

extension Grid {
  /// The distance from a room's outline at which a target may be, in metres: half a thick wall, so
  /// that rooms drawn to the insides of their walls are adjacent.
  static let halfWall = 0.2
}

/// The parameters of the grid trackers.
public struct GridSettings: Equatable, Sendable {
  /// The speed of the target, in m/s; `nil` finds it among 0.5, 1 and 2 m/s. See ``GridFilter``.
  public var speed: Double?
  /// The number of standard deviations to which larger errors are clipped.
  public var cutoff: Double
  /// A Boolean value that is true if expected levels come from the radio map; without one, the
  /// algorithm refuses.
  public var usesMap: Bool
  /// A Boolean value that is true if the silence of anchors with known reception is evidence.
  public var usesSilence: Bool
  /// The time that a filter's answers wait for later sightings.
  public var lag: Duration

  static let parameters: [Parameter] = [
    .number(
      "speed", in: 0...100, unit: "m/s", or: "auto", default: "1",
      "speed of the target; auto = 0.5, 1 or 2 m/s by the levels"), .map, .silence, .cutoff,
  ]

  /// Creates the default parameters.
  public init() { self.init(GridFilter.kind.defaults) }

  package init(_ values: ParameterValues) {
    (speed, cutoff) = (values.optional("speed"), values.number("cutoff"))
    (usesMap, usesSilence) = (values.flag("map"), values.flag("silence"))
    lag = values.optionalDuration("lag") ?? .zero
  }
}
