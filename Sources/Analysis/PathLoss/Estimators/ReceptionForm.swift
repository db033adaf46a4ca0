import RealModule

/// The edge of reception of the receivers.
enum ReceptionEdge: Equatable {
  /// No packet is lost because of its level.
  case none
  /// Every packet below a receiver's sensitivity is lost, and no other.
  case hard
  /// Reception is a logistic curve of the level.
  case soft(level: Constant, scale: Constant)

  /// The origin of a constant.
  enum Constant: Equatable {
    case estimated
    case given
  }

  /// The origin of the level of half reception; `nil` if each receiver has its own.
  var level: Constant? {
    if case .soft(.estimated, _) = self { .estimated } else { nil }
  }
  /// The origin of the scale; `nil` for other edges.
  var scale: Constant? {
    if case .soft(_, let scale) = self { scale } else { nil }
  }
}

/// The parameters of a reception likelihood that are estimated.
struct ReceptionForm: Equatable {
  /// A Boolean value that is true if the number of missed packets is known.
  var countsMissed: Bool
  var edge: ReceptionEdge
  /// A Boolean value that is true if the packets of a position share an offset.
  var placesDiffer: Bool
  /// A Boolean value that is true if the share of packets that are lost at any level is estimated.
  var estimatesLost: Bool
  /// The values of what is not estimated.
  var given = ReceptionParameters()

  /// Returns the estimated parameters in the order of scores.
  func place(_ parameters: ReceptionParameters) -> [Double] {
    parameters.coefficients + [parameters.logDeviation]
      + (placesDiffer ? [parameters.place] : [])
      + (edge.level == .estimated ? [parameters.edge] : [])
      + (edge.scale == .estimated ? [parameters.logScale] : [])
      + (estimatesLost ? [parameters.logit] : [])
  }

  /// Returns the parameters of a place.
  func parameters(_ place: [Double], columns: Int) -> ReceptionParameters {
    var result = given
    result.coefficients = Array(place[..<columns])
    result.logDeviation = place[columns]
    var rest = place[(columns + 1)...]
    if placesDiffer { result.place = rest.removeFirst() }
    if edge.level == .estimated { result.edge = rest.removeFirst() }
    if edge.scale == .estimated { result.logScale = rest.removeFirst() }
    if estimatesLost { result.logit = rest.removeFirst() }
    return result
  }

  /// Returns the form without the parameters that vanish at a maximum, where errors would be
  /// undefined.
  func simpler(at parameters: ReceptionParameters) -> ReceptionForm {
    var form = self
    if placesDiffer, abs(parameters.place) < 0.02 * Double.exp(parameters.logDeviation) {
      form.placesDiffer = false
      form.given.place = 0
    }
    if estimatesLost, parameters.received > 0.999 {
      form.estimatesLost = false
      form.given.logit = .infinity
    }
    if edge.scale == .estimated, parameters.scale < 2 * ReceptionParameters.leastScale {
      form.edge = .hard
    }
    return form
  }

  /// Returns a Boolean value that is true if the maximum of a parameter seems to be at infinity.
  ///
  /// Without a count of missed packets an edge above all levels is a shift of the power, because the
  /// foot of the logistic curve is exponential, and one far below them loses none.
  ///
  /// - Parameter levels: The range of the received levels, in dBm.
  func vanishes(_ parameters: ReceptionParameters, levels: ClosedRange<Double>) -> Bool {
    (estimatesLost && parameters.logit > 9)
      || (edge.scale == .estimated && parameters.logScale < -4)
      || (edge.level == .estimated && !countsMissed
        && (parameters.edge > levels.upperBound
          || parameters.edge < levels.lowerBound - 10 * parameters.scale))
  }
}

/// The parameters of a reception likelihood.
struct ReceptionParameters: Equatable {
  var coefficients: [Double] = []
  /// The logarithm of the standard deviation of packets within a position, without rounding.
  var logDeviation = 0.0
  /// The standard deviation between positions, in dB, of either sign.
  var place = 0.0
  /// The level of half reception, in dBm.
  var edge = 0.0
  /// The logarithm of the scale over the least one.
  var logScale = 0.0
  /// The log-odds of the share of packets received at strong levels.
  var logit = Double.infinity

  /// The scale that whole levels do not distinguish from a hard edge, in dB.
  static let leastScale = 0.2

  /// The scale of the edge, in dB.
  var scale: Double {
    get { Self.leastScale + Double.exp(logScale) }
    set { logScale = Double.log(max(newValue - Self.leastScale, 1e-3)) }
  }

  /// The derivative of the logarithm of the scale with respect to ``logScale``.
  var scaleSlope: Double { (scale - Self.leastScale) / scale }

  /// The share of packets received at strong levels.
  var received: Double { 1 / (1 + Double.exp(-logit)) }
}
