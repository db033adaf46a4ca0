package import PathLoss
package import Support

/// The report on a planned calibration: places and minutes for some lengths of stays, with the
/// power and the errors of simulated calibrations.
package struct CalibrationPlanReport {
  private let rows: [CalibrationPlanRequest.Row]
  private let goal: CalibrationGoal
  private let power: Double

  package init(
    _ rows: [CalibrationPlanRequest.Row], goal: CalibrationGoal, power: Double
  ) {
    (self.rows, self.goal, self.power) = (rows, goal, power)
  }

  package var json: JSONValue {
    [
      "power": power, "most_places": CalibrationPlan.most, "goal": goalJSON,
      "assumptions": assumptions,
      "plans": rows.map { row -> JSONValue in
        [
          "stay_s": row.design.stay, "independent_packets": row.design.independentPackets,
          "formula_places": row.plan.formula, "places": row.plan.places, "minutes": row.minutes,
          "simulated_power": row.plan.power, "simulated_error": row.plan.misses,
        ]
      },
    ]
  }

  private var assumptions: JSONValue {
    let design = rows.first?.design ?? CalibrationDesign()
    return [
      "place_sd_db": design.placeDeviation, "packet_sd_db": design.packetDeviation,
      "device_sd_db": design.deviceDeviation, "devices": design.devices,
      "marks": design.sharesPlaces ? "shared" : "own", "exponent": design.exponent,
      "from_m": design.nearest, "to_m": design.farthest, "rate_hz": design.rate,
      "fading_s": design.fadingTime,
    ]
  }

  private var goalJSON: JSONValue {
    switch goal {
    case .exponent(let width): ["kind": "exponent", "width": width]
    case .distance(let factor, let distance):
      ["kind": "distance", "factor": factor, "at_m": distance]
    }
  }

  package var text: TextReport {
    let design = rows.first?.design ?? CalibrationDesign()
    var report = TextReport()
    report.add(heading: "places for \(heading), power \(percent(power))")
    report.add(
      "\(counted(design.devices, "device")) with \(design.sharesPlaces ? "shared" : "own") marks, "
        + "\(plain(design.nearest)) to \(plain(design.farthest)) m; deviations in dB: places "
        + "\(decimal(design.placeDeviation, 1)), packets \(decimal(design.packetDeviation, 1)), "
        + "devices \(decimal(design.deviceDeviation, 1))\n\n")
    report.add(
      table: ReportTable(
        of: rows,
        [
          .number("stay, s") { .text(plain($0.design.stay)) },
          .number("independent packets") { .number($0.design.independentPackets, 0) },
          .number("formula") { .text($0.plan.formula.map(String.init) ?? Self.tooMany) },
          .number("places") { .text($0.plan.places.map(String.init) ?? Self.tooMany) },
          .number("minutes") { .number($0.minutes, 0) },
          .number("simulated power") { .share($0.plan.power) },
          .number("missed") { .share($0.plan.misses) },
        ]))
    report.add("\nmissed: simulated intervals without the true value\n")
    return report
  }

  private static let tooMany = "> \(CalibrationPlan.most)"

  private var heading: String {
    switch goal {
    case .exponent(let width): "an interval of the exponent of \(plain(width))"
    case .distance(let factor, let distance):
      "an interval of \(plain(distance)) m within a factor of \(plain(factor))"
    }
  }
}
