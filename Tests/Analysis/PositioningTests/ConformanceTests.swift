import Foundation
import Geometry
import Positioning
import TestSupport
import Testing

/// The suite in Tests/Conformance, which other libraries can run as well.
struct ConformanceTests {
  private static let folder = repositoryRoot.appending(path: "Tests/Conformance")

  /// One case as its files have it.
  private struct Case {
    var surroundings = Surroundings()
    var observations: [Observation] = []
  }

  private static func table(_ name: String) throws -> [[String]] {
    let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    return text.split(separator: "\n").dropFirst().map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  private static func cases() throws -> [String: Case] {
    var cases: [String: Case] = [:]
    for row in try table("cases.csv") {
      var one = Case()
      one.surroundings.dimensions = row[1] == "3" ? .space : .plane
      let edges = row[2...5].compactMap(Double.init)
      if edges.count == 4 {
        one.surroundings.bounds = Bounds(
          minimum: Point(x: edges[0], y: edges[1]), maximum: Point(x: edges[2], y: edges[3]))
      }
      cases[row[0]] = one
    }
    for row in try table("geometries.csv") {
      let numbers = try row[2...].map { cell in try #require(Double(cell)) }
      let observation = Observation(
        anchor: Point(x: numbers[0], y: numbers[1]), heightDifference: numbers[2],
        rssi: -59 - 10 * numbers[4] * log10(numbers[3]), measuredPower: -59, exponent: numbers[4],
        sigma: numbers[5], number: try #require(Int(row[1])) - 1)
      cases[row[0]]?.observations.append(observation)
      cases[row[0]]?.surroundings.anchors.append(
        Anchor(
          place: observation.anchor, heightDifference: observation.heightDifference,
          measuredPower: -59, exponent: observation.exponent, sigma: observation.sigma))
    }
    return cases
  }

  private static func cells(_ outcome: Outcome) -> [String] {
    switch outcome {
    case .refused(let refusal): return [refusal.description] + Array(repeating: "", count: 6)
    case .located(let estimate):
      let place = [
        "\(estimate.position.x)", "\(estimate.position.y)", estimate.height.map { "\($0)" } ?? "",
      ]
      let other = estimate.alternative.map { ["\($0.x)", "\($0.y)", "\($0.z)"] }
      return [""] + place + (other ?? ["", "", ""])
    }
  }

  @Test func `every answer of the suite is given, as its checker confirms`() throws {
    let scratch = try TemporaryDirectory()
    let cases = try Self.cases()
    let answers = try Self.table("answers.csv")
    #expect(cases.count > 80 && answers.count > 550)
    var lines = ["case,algorithm,refusal,x,y,z,other_x,other_y,other_z"]
    for row in answers {
      let one = try #require(cases[row[0]])
      let algorithm = try Algorithms.named(row[1])
      let cells = Self.cells(algorithm.locate(one.observations, in: one.surroundings))
      lines.append(([row[0], row[1]] + cells).joined(separator: ","))
    }
    func check(_ lines: [String], _ options: String...) throws -> ProgramResult {
      let path = try scratch.write(lines.joined(separator: "\n"), to: "mine.csv")
      let script = Self.folder.appending(path: "check.py").path
      return try runProgram(pythonPath, [script, path] + options)
    }
    let result = try check(lines, "--reasons")
    #expect(result.exitCode == 0, "\(result.output)\(result.error)")
    #expect(result.output.contains("power-center: "))

    // The checker would notice: a position a centimetre off, a missing one, another reason.
    let wrong = try #require(lines.firstIndex { $0.hasPrefix("exact-1,power-center,,") })
    var spoilt = lines
    spoilt[wrong] = "exact-1,power-center,,0.01,0.01,"
    #expect(try check(spoilt).exitCode == 1)
    spoilt.remove(at: wrong)
    #expect(try check(spoilt).output.contains("exact-1: no answer"))
    let reason = try #require(
      lines.firstIndex { $0.hasPrefix("line-axis,power-center,collinear-anchors") })
    spoilt = lines
    spoilt[reason] = "line-axis,power-center,degenerate,,,"
    #expect(try check(spoilt).exitCode == 0)
    #expect(try check(spoilt, "--reasons").exitCode == 1)
  }

  @Test func `does not depend on the order of the anchors`() throws {
    let cases = try Self.cases()
    for row in try Self.table("answers.csv") where row[1] != "maximum-likelihood" {
      let one = try #require(cases[row[0]])
      let algorithm = try Algorithms.named(row[1])
      let outcome = algorithm.locate(one.observations.reversed(), in: one.surroundings)
      #expect(outcome.refusal?.description ?? "" == row[2], "\(row[0]) \(row[1])")
      guard let p = outcome.position, let x = Double(row[3]), let y = Double(row[4]),
        let tolerance = Double(row[6])
      else { continue }
      #expect(isClose(p, Point(x: x, y: y), within: tolerance), "\(row[0]) \(row[1])")
    }
  }
}
