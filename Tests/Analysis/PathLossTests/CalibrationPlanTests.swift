import NumericalMethods
import Support
import TestSupport
import Testing

@testable import PathLoss

struct CalibrationPlanTests {
  private static func design(stay: Double = 60) -> CalibrationDesign {
    var design = CalibrationDesign()
    design.stay = stay
    return design
  }

  @Test func `the formula is that of a line through places: simulated in numpy`() throws {
    // Share of calibrations with an interval of the exponent of at most 1, at the planned places.
    let plan = CalibrationPlan(.exponent(width: 1), Self.design(), runs: 50)
    let places = try #require(plan.formula)
    let shares = try reference(
      """
      from scipy import stats
      rng = np.random.default_rng(1)
      deviation = np.sqrt(9 + 16 / (60 / 2.2))
      for row in rows:
          n = int(row[0])
          x = np.linspace(0, np.log10(15), n)
          X = np.column_stack([np.ones(n), -10 * x])
          hat = X @ np.linalg.inv(X.T @ X) @ X.T
          y = deviation * rng.normal(size=(20000, n))
          s2 = ((y - y @ hat) ** 2).sum(1) / (n - 2)
          width = 2 * stats.t.ppf(0.975, n - 2) * np.sqrt(s2 * np.linalg.inv(X.T @ X)[1, 1])
          answer((width <= 1).mean())
      """, [[Double(places)], [Double(places - 1)]])
    #expect(shares[0][0] >= 0.79 && shares[1][0] < 0.81, "\(places): \(shares)")
  }

  @Test func `simulated calibrations reach the width with the power, and hold the exponent`() throws
  {
    let plan = CalibrationPlan(.exponent(width: 1), Self.design(), runs: 200)
    #expect(try #require(plan.places) >= (try #require(plan.formula)))
    #expect(try #require(plan.power) >= 0.8)
    // 5 % and three standard errors of 200 runs.
    #expect(try #require(plan.misses) <= 0.097)
  }

  @Test func `shorter stays and a tighter goal need more places, and shared marks no fewer`() throws
  {
    func formula(_ goal: CalibrationGoal, _ design: CalibrationDesign) throws -> Int {
      try #require(CalibrationPlan(goal, design, power: 0.8, runs: 1).formula)
    }
    let goal = CalibrationGoal.exponent(width: 1)
    let usual = try formula(goal, Self.design())
    #expect(try formula(goal, Self.design(stay: 2)) > usual)
    #expect(try formula(.exponent(width: 0.5), Self.design()) > 3 * usual)
    var several = Self.design()
    several.devices = 8
    // All beacons share the level of a mark, so they are hardly better than one.
    #expect(try formula(goal, several) >= usual - 2)
    several.sharesPlaces = false
    #expect(try formula(goal, several) < usual / 2)
    let near = try formula(.distance(factor: 1.3, at: 4), Self.design())
    let far = try formula(.distance(factor: 1.3, at: 15), Self.design())
    #expect(far > near)
  }

  @Test func `a fading time leaves few independent packets of a stay`() {
    var design = Self.design()
    #expect(isClose(design.independentPackets, 60 / 2.2))
    design.stay = 0.1
    #expect(design.independentPackets == 1)
  }

  @Test func `a request takes what is written, and the rest from the pilot`() throws {
    var pilot = Calibration(
      toolVersion: "0", commandLine: "rssi fit", model: "log-distance", estimator: "least-squares",
      settings: FitConfiguration(), by: "pooled", groups: [],
      pooled: PathLossGroup(key: "pooled", samples: 100, positions: 10), excluded: [:], inputs: [],
      stations: [])
    pilot.pooled.positionDeviation = 2.5
    pilot.pooled.packetDeviation = 3.5
    let request = try CalibrationPlanRequest("exponent:width=0.8,packet-sd=5,stay=30s,devices=4")
    let design = request.design(pilot: pilot)
    #expect(design.placeDeviation == 2.5 && design.packetDeviation == 5 && design.devices == 4)
    #expect(design.sharesPlaces && request.goal == .exponent(width: 0.8))
    #expect(throws: RSSIError.self) { try CalibrationPlanRequest("exponent") }
    #expect(throws: RSSIError.self) { try CalibrationPlanRequest("exponent:width=1,from=5,to=2") }
  }
}
