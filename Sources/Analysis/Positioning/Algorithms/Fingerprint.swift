import Geometry
import Support

/// The mean place of the surveyed points with the most similar levels (`fingerprint`).
///
/// k nearest neighbours (kNN) in signal space over ``Surroundings/survey``, by the Euclidean
/// distance of levels in dB, weighted by its inverse. An anchor that only one side received has a
/// level just below the survey's lowest; anchors that the survey never received are ignored. An
/// error common to all levels of a point, such as the offset of another device, is marginalised.
/// Points of all recordings are pooled: two visits to a place are two neighbours.
///
/// The best k is learned from the survey alone by cross-validation: each point is located from the
/// other recordings or, with a single recording, from the other points. The same errors give the
/// covariance: their mean square plus the spread of the neighbours, scaled to be correct on the
/// survey, plus the extent of the floor that is nearest to the neighbours.
///
/// No path-loss curve is used, so a wrong one does no harm. Each answer is linear in points and
/// anchors; the survey is learned once per trace.
///
/// Bahl & Padmanabhan, "RADAR: An In-Building RF-Based User Location and Tracking System", INFOCOM
/// 2000.
public struct Fingerprint: EpochAlgorithm {
  static let kind = AlgorithmKind(
    "fingerprint", "the mean place of the surveyed points with the most similar levels",
    [
      .count(
        "k", in: 1...1_000_000, or: "auto", default: "auto",
        "number of neighbours; auto = the best by cross-validation on the survey"),
      .mapOffset,
    ], needsSurvey: true
  ) { Fingerprint(neighbours: $0.count("k"), offset: $0.optional("offset")) }

  public var name: String { Self.kind.name }
  /// The number of neighbours, at least 1; `nil` selects the best by cross-validation on the
  /// survey.
  public var neighbours: Int?

  /// The standard deviation of the error common to all levels of a point, in dB; `nil` takes that
  /// of the radio map, and 0 without one.
  public var offset: Double?

  /// Creates the algorithm; the offset is in dB.
  public init(neighbours: Int? = nil, offset: Double? = nil) {
    self.neighbours = neighbours.map { max(1, $0) }
    self.offset = offset
  }

  public var usesBuildingMap: Bool { true }

  public func locate(_ scans: [Scan], in surroundings: Surroundings) -> [Outcome] {
    if let building = surroundings.building {
      return FloorNeighbours(
        surroundings.survey, on: building, anchors: surroundings.anchors.count,
        neighbours: neighbours
      ).answers(scans)
    }
    let learned = learn(surroundings)
    return scans.map { scan in
      do throws(Refusal) {
        return .located(try estimate(scan.observations, in: surroundings, by: learned))
      } catch {
        return .refused(error)
      }
    }
  }

  public func estimate(
    _ observations: [Observation], in surroundings: Surroundings
  ) throws(Refusal) -> Estimate {
    try estimate(observations, in: surroundings, by: learn(surroundings))
  }

  private typealias Learned = (space: SignalSpace, training: FingerprintTraining)

  private func learn(_ surroundings: Surroundings) -> Learned? {
    SignalSpace(surroundings.survey, ownShare: ownShare(surroundings.radioMap)).map { space in
      (space, FingerprintTraining(space, fixed: neighbours, in: surroundings))
    }
  }

  /// Returns the variance of a level's own error relative to that of the common error.
  private func ownShare(_ map: RadioMap?) -> Double {
    let common = offset.map { $0 * $0 } ?? map?.commonVariance ?? 0
    guard common > 0 else { return .infinity }
    let variation = map?.variation ?? .belief
    let all =
      variation.recordingOffset * variation.recordingOffset
      + variation.noise(packets: map?.packets ?? 1)
    return max(all - (map?.commonVariance ?? 0), 0) / common
  }

  private func estimate(
    _ observations: [Observation], in surroundings: Surroundings, by learned: Learned?
  ) throws(Refusal) -> Estimate {
    guard observations.allSatisfy({ $0.isValid && SignalSpace.occurs($0.rssi) }) else {
      throw .invalidRange
    }
    guard !observations.isEmpty else { throw .tooFewAnchors }
    guard let (space, training) = learned else { throw .noSurvey }
    guard surroundings.dimensions == .plane || space.hasHeights else { throw .wrongDimensions }
    guard let row = space.row(observations) else { throw .tooFewAnchors }
    let nearest = space.nearest(training.neighbours, to: row)
    let mean = NeighbourMean(nearest[...], in: space)
    return Estimate(
      position: mean.place.planar, height: surroundings.dimensions == .space ? mean.place.z : nil,
      uncertainty: Self.uncertainty(mean, training, in: surroundings.dimensions))
  }

  private static func uncertainty(
    _ mean: NeighbourMean, _ training: FingerprintTraining, in dimensions: Surroundings.Dimensions
  ) -> Uncertainty {
    guard let error = training.error else { return .unavailable(.noErrorModel) }
    var sum = SymmetricMatrix3()
    sum.add(error, weight: training.factor)
    sum.add(mean.spread, weight: training.factor)
    // Points surveyed along one line show nothing about the error across it.
    guard sum.xx * sum.yy - sum.xy * sum.xy > 0, training.factor.isFinite else {
      return .unavailable(.noErrorModel)
    }
    sum.add(mean.mean(of: training.gaps), weight: 1)
    return .firstOrder(sum.covariance(in: dimensions))
  }
}
