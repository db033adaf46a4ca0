import PathLoss
import Support
import Testing

@testable import TracePipelines

@Suite struct LinkConstantsTests {
  private func power(
    _ constants: LinkConstants, beacon: String = "a", receiver: String = "r", trace: String = "t"
  ) throws -> Double {
    try constants.constants(beacon: beacon, receiver: receiver, trace: trace).measuredPower
  }

  @Test func `a link uses its own fit, else that of all readings, which is noted once`() throws {
    let constants = try LinkConstants(
      calibration([
        fittedGroup("a", power: -50, beacon: "a"), fittedGroup("b", power: -55, beacon: "b"),
      ]), of: "c.json")
    #expect(try power(constants) == -50 && power(constants, beacon: "b") == -55)
    #expect(constants.notes.isEmpty)
    #expect(try power(constants, beacon: "c") == -60 && power(constants, beacon: "d") == -60)
    #expect(constants.notes.count == 1)
  }

  @Test func `a fit of a series counts in the trace of its name only`() throws {
    let constants = try LinkConstants(
      calibration([
        fittedGroup("t", power: -50, series: "t"), fittedGroup("u", power: -51, series: "u"),
      ]), of: "c.json")
    #expect(try power(constants) == -50 && power(constants, trace: "other") == -60)
  }

  @Test func `a chosen group counts for all links`() throws {
    let groups = [fittedGroup("a", power: -50, beacon: "a"), fittedGroup("b", power: -55)]
    let constants = try LinkConstants(calibration(groups), of: "c.json", group: "b")
    #expect(try power(constants) == -55 && constants.notes.isEmpty)
    #expect {
      try LinkConstants(calibration(groups), of: "c.json", group: "x")
    } throws: { "\($0)".contains("no group \"x\"") }
  }

  @Test func `a fit without a distance or with an unknown curve is refused`() throws {
    var flat = fittedGroup("pooled", power: -60)
    flat.exponent = -1
    let constants = try LinkConstants(calibration([], pooled: flat), of: "c.json")
    #expect { try power(constants) } throws: { "\($0)".contains("gives no distances") }
    for model in ["two-slope", "walls"] {
      #expect(throws: RSSIError.self) {
        try LinkConstants(calibration([], model: model), of: "c.json")
      }
    }
  }
}
