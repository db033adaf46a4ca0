import Foundation
import Geometry
import Positioning
import TestSupport
import Testing

/// One row of the reference data: three circles, the target, and what the published functions
/// answered.
struct ReferenceGeometry {
  var name: String
  var circles: [Circle]
  var truth: Point
  /// The answer per function; nil where it gave none (`nan`, `crash` or half a point).
  var answers: [String: Point]

  /// Levels that put the target on the circles, for a link of -59 dBm at 1 m and exponent 2.
  var observations: [Observation] {
    circles.map {
      Observation(
        anchor: $0.centre, rssi: -59 - 20 * log10($0.radius), measuredPower: -59, exponent: 2,
        sigma: 4)
    }
  }

  static let general = [
    "noise_free_any", "noise_free_inside", "shadow2_any", "shadow4_any", "shadow6_any",
    "shadow4_inside",
  ]

  static func read(_ file: String) throws -> [ReferenceGeometry] {
    let url = sharedData("reference-algorithms")!.appending(path: "\(file).csv")
    let lines = try String(contentsOf: url, encoding: .utf8).split(whereSeparator: \.isNewline)
    let header = lines[0].split(separator: ",").map(String.init)
    try #require(lines.count == (file == "degenerate" ? 18 : 301))
    return lines.dropFirst().map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      let row = Dictionary(uniqueKeysWithValues: zip(header, cells))
      func number(_ column: String) -> Double { Double(row[column]!) ?? .nan }
      var answers: [String: Point] = [:]
      for column in header.dropFirst(15) where column.hasSuffix("_x") {
        let function = String(column.dropLast(2))
        let p = Point(x: number(function + "_x"), y: number(function + "_y"))
        if p.x.isFinite && p.y.isFinite { answers[function] = p }
      }
      return ReferenceGeometry(
        name: "\(row["case"]!) \(row["seed"]!)",
        circles: (1...3).map {
          Circle(
            centre: Point(x: number("x\($0)"), y: number("y\($0)")), radius: number("r\($0)"))
        },
        truth: Point(x: number("true_x"), y: number("true_y")), answers: answers)
    }
  }
}
