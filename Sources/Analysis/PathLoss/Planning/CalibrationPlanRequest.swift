import NumericalMethods
public import Support

/// A goal of a calibration as written, such as `exponent:width=0.5` or `distance:factor=1.3,at=5`,
/// with assumptions, of which those that are not given come from a pilot calibration.
public struct CalibrationPlanRequest: Sendable {
  private let kind: CalibrationPlanKind
  private let values: ParameterValues

  /// - Throws: `RSSIError` for an unknown goal, parameter or value.
  public init(_ text: String) throws(RSSIError) {
    (kind, values) = try Specification(text).resolved(among: CalibrationPlanKind.all, as: "goal")
    guard values.number("to") > values.number("from") else {
      throw RSSIError(.usage, "\"\(text)\": to must be above from")
    }
  }

  /// The required power.
  public var power: Double { values.number("power") }

  /// The goal.
  public var goal: CalibrationGoal {
    switch kind {
    case .exponent: .exponent(width: values.number("width"))
    case .distance: .distance(factor: values.number("factor"), at: values.number("at"))
    }
  }

  /// A plan for one length of stays.
  public struct Row: Equatable, Sendable {
    /// The design with its length of stays.
    public var design: CalibrationDesign
    /// The plan.
    public var plan: CalibrationPlan

    /// The time at all places, in minutes; `nil` without a number of places.
    public var minutes: Double? { plan.places.map { Double($0) * design.stay / 60 } }
  }

  /// Returns the design, whose deviations are those of the pilot unless they were written.
  public func design(pilot: Calibration? = nil) -> CalibrationDesign {
    var design = CalibrationDesign()
    let group = pilot?.pooled
    let effects = pilot?.hierarchical?.deviations
    let devices = (effects?["beacon"] ?? effects?["receiver"])?.value
    let places = effects.map { effects in
      ["place", "position"].reduce(0) { $0 + ((effects[$1]?.value).map { $0 * $0 } ?? 0) }
    }
    design.placeDeviation =
      values.optional("place-sd") ?? places?.squareRoot() ?? group?.positionDeviation
      ?? design.placeDeviation
    design.packetDeviation =
      values.optional("packet-sd") ?? effects?["packet"]?.value ?? group?.packetDeviation
      ?? design.packetDeviation
    design.deviceDeviation = values.optional("device-sd") ?? devices ?? design.deviceDeviation
    design.exponent = values.optional("exponent") ?? group?.exponent ?? design.exponent
    design.devices = values.count("devices") ?? 1
    design.sharesPlaces = values.text("marks") == "shared"
    (design.nearest, design.farthest) = (values.number("from"), values.number("to"))
    design.rate = values.number("rate")
    design.fadingTime = values.seconds("fading")
    return design
  }

  /// Returns the plans for the written length of stays, or for some lengths.
  public func rows(pilot: Calibration? = nil) -> [Row] {
    let design = design(pilot: pilot)
    let stays = values.optionalDuration("stay").map { [Double($0.nanoseconds) / 1e9] }
    return (stays ?? [10, 30, 60, 120]).map { stay in
      var one = design
      one.stay = stay
      return Row(design: one, plan: CalibrationPlan(goal, one, power: power))
    }
  }
}

/// The kinds of goals of a calibration.
public enum CalibrationPlanKind: String, SpecifiedKind {
  case exponent, distance

  package static let all: [CalibrationPlanKind] = [.exponent, .distance]

  package var name: String { rawValue }

  package var summary: String {
    switch self {
    case .exponent: "an interval of the exponent of at most this width"
    case .distance: "an interval of the distance of a level within this factor of it"
    }
  }

  package var parameters: [Parameter] {
    let goal: [Parameter] =
      switch self {
      case .exponent: [.number("width", in: 0.01...10, example: "0.5", "the width of the interval")]
      case .distance:
        [
          .number("factor", in: 1.01...10, example: "1.3", "the largest factor from the distance"),
          .number("at", in: 0.1...1000, unit: "m", default: "5", "the distance"),
        ]
      }
    let deviations = 0.0...30.0
    return goal + [
      .number("place-sd", in: deviations, unit: "dB", "deviation of places (default: pilot, or 3)"),
      .number(
        "packet-sd", in: deviations, unit: "dB", "deviation of packets (default: pilot, or 4)"),
      .number(
        "device-sd", in: deviations, unit: "dB", "deviation of devices (default: pilot, or 0)"),
      .number("exponent", in: 0.5...10, "the exponent (default: pilot, or 2.5)"),
      .count("devices", in: 1...100, default: "1", "number of devices heard at each place"),
      .choice("marks", default: Marks.shared, "marks of all devices, or own ones of each"),
      .number("from", in: 0.1...1000, unit: "m", default: "1", "nearest distance"),
      .number("to", in: 0.1...1000, unit: "m", default: "15", "farthest distance"),
      .number("rate", in: 0.01...1000, default: "5", "packets per second of each device"),
      .time("fading", default: "1s", "time over which fading keeps its level"),
      .time("stay", "length of the stay at each place (default: several)"),
      .number("power", in: 0.5...0.99, default: "0.8", "probability of success"),
    ]
  }

  private enum Marks: String, CaseIterable { case shared, own }
}
