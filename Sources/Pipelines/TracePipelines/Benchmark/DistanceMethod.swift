import Evaluation
import Geometry
import NumericalMethods
import PathLoss
import Positioning
import Proximity
import Support

/// Readings of links at known distances to learn from, and questions to answer.
struct DistanceLesson {
  /// The readings as counts by station.
  var stations: [Station]
  /// The readings as questions with answers, with the number of the unit of each.
  var learned: [(unit: Int, question: DistanceQuestion)]
  var asked: [DistanceQuestion]
}

/// An algorithm that answers questions for distances.
enum DistanceMethod: Sendable {
  /// A path-loss model, fitted as by `rssi fit`.
  case curve(name: String, PathLossFit)
  /// A positioning algorithm or a program that learns from a survey: a distance is a place on the x
  /// axis, and the other end of the link is the only anchor, at 0.
  case learner(ChosenAlgorithm)

  /// The names of our algorithms.
  static let defaults = [
    "log-distance", "log-distance:estimator=tukey", "fixed-exponent", "altbeacon", "fingerprint",
  ]

  /// Returns the quantities that an algorithm estimates, by its name.
  static func quantities(of name: String) -> [BenchmarkRecipe.Quantity] {
    let kind = String(name.prefix { $0 != ":" })
    if ModelName(rawValue: kind) != nil { return [.distances] }
    return ["exec", "fingerprint"].contains(kind) ? [.positions, .distances] : [.positions]
  }

  var name: String {
    switch self {
    case .curve(let name, _): name
    case .learner(let algorithm): algorithm.name
    }
  }

  /// Reads the name of a path-loss model with its `estimator` or `exponent`, or that of an algorithm.
  ///
  /// - Throws: `RSSIError` for unknown names and parameters, and models that give no distance.
  init(_ text: String, patience: Duration) throws(RSSIError) {
    let specification = try Specification(text.hasPrefix("exec:") ? "exec" : text)
    guard let model = ModelName(rawValue: specification.name) else {
      self = .learner(try ChosenAlgorithm(text, patience: patience))
      return
    }
    var fit = PathLossFit(model: PathLossModel(model, exponent: 2))
    for (name, value) in specification.written {
      if name == "exponent", model == .fixedExponent, let exponent = Double(value), exponent > 0 {
        fit.model = .fixedExponent(exponent)
      } else if name == "estimator", [.logDistance, .fixedExponent].contains(model),
        let estimator = PathLossEstimator(rawValue: value), Self.estimators.contains(estimator)
      {
        fit.estimator = estimator
      } else {
        throw RSSIError(
          .usage, "\(text): invalid \(name)",
          advice: "give fixed-exponent:exponent=2, or log-distance:estimator=NAME, one of "
            + listed(Self.estimators.map(\.rawValue)))
      }
    }
    guard ![.twoSlope, .walls].contains(model) else {
      throw RSSIError(.usage, "\(text): this model gives no distances")
    }
    self = .curve(name: text, fit)
  }

  /// The estimators that need nothing but levels and distances.
  private static let estimators: [PathLossEstimator] = [
    .leastSquares, .huber, .tukey, .cauchy, .truncated,
  ]

  /// Returns the distance for each question.
  func answers(_ lesson: DistanceLesson) -> [Result<DistanceEstimate, Refusal>] {
    guard !lesson.stations.isEmpty else { return lesson.asked.map { _ in .failure(.noSurvey) } }
    switch self {
    case .curve(_, let fit):
      let group = fit.pooled(lesson.stations)
      return lesson.asked.map { question in
        group.distance(of: question).map { .success($0) } ?? .failure(.outsideDomain)
      }
    case .learner(let algorithm):
      let known = Surroundings(lesson)
      let scans = lesson.asked.map { question in
        Scan(
          instant: question.span.upperBound, start: question.span.lowerBound - 1,
          observations: [
            Observation(
              known.anchors[0], number: 0, rssi: question.level, packets: question.packets)
          ])
      }
      return algorithm.algorithm(anchors: ["beacon"]).locate(scans, in: known).map(\.distance)
    }
  }
}

extension PathLossFit {
  /// Returns the constants of all stations together.
  fileprivate func pooled(_ stations: [Station]) -> PathLossGroup {
    if model == .hierarchical {
      return Hierarchy(stations, levels: [])
        .group(key: "pooled", beacon: nil, receiver: nil, stations)
    }
    var fit = self
    fit.learnSensitivity(of: stations)
    return fit.group(key: "pooled", stations)
  }
}

extension PathLossGroup {
  /// Returns the distance for the mean level of some packets; `nil` if the fit gives none.
  fileprivate func distance(of question: DistanceQuestion) -> DistanceEstimate? {
    if let altBeacon {
      return altBeacon.curve.distance(atLevel: question.level).flatMap {
        $0 > 0 ? DistanceEstimate(distance: $0, interval: nil) : nil
      }
    }
    let packet = successiveDeviation ?? sigma ?? .nan
    return DistanceModel(self)?.distance(
      atLevel: question.level, variance: packet * packet / Double(question.packets))
  }
}

extension Surroundings {
  /// Creates the surroundings of a link: its other end as an anchor at 0, and the known distances as
  /// places on the x axis.
  fileprivate init(_ lesson: DistanceLesson) {
    self.init()
    let fit = PathLossFit().pooled(lesson.stations)
    anchors = [
      fit.constants.map {
        Anchor(
          place: Point(x: 0, y: 0), measuredPower: $0.measuredPower, exponent: $0.exponent,
          sigma: $0.sigma, packetSigma: $0.packetSigma)
      } ?? .unknown
    ]
    survey = lesson.learned.map { unit, question in
      SurveyPoint(
        place: Point(x: question.truth, y: 0),
        levels: [
          Reading(
            time: question.span.lowerBound, anchor: 0, rssi: question.level,
            packets: question.packets)
        ], trace: unit)
    }
  }
}

extension Outcome {
  /// The distance of a place from the anchor at 0, with the 95 % interval of its covariance.
  fileprivate var distance: Result<DistanceEstimate, Refusal> {
    switch self {
    case .refused(let refusal): return .failure(refusal)
    case .located(let estimate):
      let distance = estimate.position.distance(to: Point(x: 0, y: 0))
      guard distance > 0 else { return .failure(.invalidAnswer) }
      let half = estimate.uncertainty.covariance.map { 1.959_964 * $0.xx.squareRoot() }
      return .success(
        DistanceEstimate(
          distance: distance,
          interval: half.map { Interval(lower: max(distance - $0, 0), upper: distance + $0) }))
    }
  }
}
