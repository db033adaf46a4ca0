import Geometry
import Support

/// The mean place of the surveyed points whose levels are most alike (`fingerprint`).
///
/// The k nearest neighbours in signal space over ``Surroundings/survey``, by the Euclidean distance
/// of levels in dB, weighted by its inverse. An anchor that one side did not hear has a level just
/// below the survey's lowest; anchors that the survey never heard do not count. An error that all
/// levels of a point have in common, such as that of another device, is summed over. Points of all
/// recordings are pooled as they are: two visits to a place are two neighbours there.
///
/// How many neighbours are best is learned from the survey alone, each point located from those of
/// the other recordings, or with one recording from the other points. So are the errors, and the
/// covariance is their mean square plus the spread of the neighbours, by a factor that makes it
/// right on the survey.
///
/// No path-loss curve is used, so a wrong one does no harm. Linear in points and anchors for each
/// answer; the survey is learned once for each trace.
///
/// Bahl & Padmanabhan, "RADAR: An In-Building RF-Based User Location and Tracking System", INFOCOM
/// 2000.
public struct Fingerprint: EpochAlgorithm {
  static let kind = AlgorithmKind(
    "fingerprint", "the mean place of the surveyed points whose levels are most alike",
    [
      .count(
        "k", in: 1...1_000_000, or: "auto", default: "auto",
        "how many neighbours; auto = the number that locates the survey's own points best"),
      .mapOffset,
    ], needsSurvey: true
  ) { Fingerprint(neighbours: $0.count("k"), offset: $0.optional("offset")) }

  public var name: String { Self.kind.name }
  /// The number of neighbours, at least 1; nil = the number that locates the survey's own points
  /// best.
  public var neighbours: Int?

  /// The standard deviation of an error that all levels of a point have in common, in dB; nil = as
  /// the radio map has it, and 0 without one.
  public var offset: Double?

  /// Creates the algorithm; the offset is in dB.
  public init(neighbours: Int? = nil, offset: Double? = nil) {
    self.neighbours = neighbours.map { max(1, $0) }
    self.offset = offset
  }

  public func locate(_ scans: [Scan], in surroundings: Surroundings) -> [Outcome] {
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
      (space, FingerprintTraining(space, fixed: neighbours))
    }
  }

  /// The variance of a level's own error in that of the common one.
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
    // Surveyed along one line, nothing is known of the error across it.
    guard sum.xx * sum.yy - sum.xy * sum.xy > 0, training.factor.isFinite else {
      return .unavailable(.noErrorModel)
    }
    return .firstOrder(sum.covariance(in: dimensions))
  }
}
