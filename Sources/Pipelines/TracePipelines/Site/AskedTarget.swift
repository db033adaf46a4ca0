package import Evaluation
package import Geometry
package import PathLoss
import Positioning
package import Sightings
import Support

/// A moving node in one trace: the questions about it, and the levels to answer them from.
package struct AskedTarget {
  /// The name of the trace, with that of the node if several nodes moved in it.
  package var name: String
  package var trace: String
  /// The moving node.
  package var node: String
  package var role: NodeRole
  /// The median height of its truth above the site's zero of heights, in metres; nil without one.
  package var height: Double?
  /// The file that it was read from.
  package var path: String
  package var epochs: [AskedEpoch]
  /// Its truth.
  package var truth: TruthPath
  /// Its raw levels with links, sorted, to recognise them in other recordings.
  package var readings: ReadingSample
  /// The number of its raw levels, by anchor and channel; empty unless channels are kept.
  var received: [AnchorChannel: UInt64] = [:]

  /// A channel on which an anchor was heard.
  struct AnchorChannel: Hashable {
    var anchor: Int
    var channel: UInt8
  }

  package init(
    name: String? = nil, trace: String, node: String, role: NodeRole = .receiver,
    height: Double? = nil, path: String = "", epochs: [AskedEpoch],
    truth: TruthPath = TruthPath([]), readings: ReadingSample = ReadingSample(capacity: 0)
  ) {
    self.name = name ?? trace
    self.trace = trace
    self.node = node
    self.role = role
    self.height = height
    self.path = path
    self.epochs = epochs
    self.truth = truth
    self.readings = readings
  }

  /// A Boolean value that is true if none of its anchors was heard at any epoch.
  var isSilent: Bool { epochs.allSatisfy { $0.heard.levels.isEmpty } }

  /// The role of the nodes by which it is located.
  var anchorRole: NodeRole { role == .receiver ? .beacon : .receiver }
}

/// The instants at which positions are estimated.
public enum EpochPlan: Equatable, Sendable {
  /// The time between instants, and the time before each from which it takes its levels.
  case periodic(step: Duration, window: Duration)
  /// Once for each stop of the moving node.
  case stays
  /// Once for each place, over all its visits in a trace.
  case places

  /// A Boolean value that is true if each epoch is a stop, or all visits of a place.
  public var areStops: Bool {
    switch self {
    case .periodic: false
    case .stays, .places: true
    }
  }

  /// The epoch and the window as reports write them.
  public var description: (epoch: String, window: String?) {
    switch self {
    case .periodic(let step, let window):
      (written(duration: step), window == step ? nil : written(duration: window))
    case .stays: ("stay", nil)
    case .places: ("place", nil)
    }
  }

  /// Returns the instants on a path.
  func schedule(of path: TruthPath) -> EpochSchedule {
    guard case .periodic(let step, let window) = self, let span = path.span else {
      return .stops(areStops ? path.stays.map { $0.start...$0.end } : [])
    }
    return .walk(span, step: step.nanoseconds, window: window.nanoseconds)
  }

  /// Returns the epochs on a path, with the truth.
  ///
  /// - Parameters:
  ///   - heard: all epochs of the path's schedule.
  ///   - areMeans: A Boolean value that is true if levels are means over the window.
  func asked(
    _ heard: [HeardEpoch], on path: TruthPath, truth: TruthInstant, areMeans: Bool
  ) -> [AskedEpoch] {
    let schedule = schedule(of: path)
    let epochs = zip(schedule.numbers, heard).map { number, epoch in
      let asked = schedule.asked(number, truth: truth)
      // Instants are inside the span by construction; a node may have left a stop at its end.
      let place = areStops ? path.stays[number].position : path.position(at: asked)!
      return AskedEpoch(
        epoch, asked: asked, truth: place, height: path.height(at: asked),
        floor: path.floor(at: asked),
        velocity: path.velocity(at: asked),
        stretch: areMeans && !areStops ? path.stretch(from: epoch.start, to: epoch.instant) : nil)
    }
    return self == .places ? epochs.joinedByPlace : epochs
  }
}

extension TruthPath {
  /// Returns the stretch of the path between two times; nil outside its span and at rest.
  fileprivate func stretch(from start: Int64, to end: Int64) -> Stretch? {
    guard floor(at: start) == floor(at: end) else { return nil }
    let (middle, half) = (Double(end / 2 + start / 2), Double(end - start) / 2)
    let stretch = Stretch { position(at: Int64((middle + $0 * half).rounded())) }
    return stretch.flatMap { $0.reach == Point(x: 0, y: 0) ? nil : $0 }
  }
}
