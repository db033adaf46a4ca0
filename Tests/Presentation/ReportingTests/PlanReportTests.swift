import Evaluation
import PathLoss
import Support
import Testing

@testable import Reporting

struct PlanReportTests {
  @Test func `a campaign is reported with its assumptions, power and false positives`() throws {
    let request = try CampaignRequest("difference:of=0.5,sd=0.4,comparisons=2")
    let report = CampaignPlanReport(try request.rows(), power: request.power)
    let text = report.text.text()
    #expect(
      text.hasPrefix(
        "traces for a significant difference of 0.5 m among 2 comparisons, power 80.0 %\n"))
    #expect(text.contains("sd 0.40 m") && text.contains("false positives: simulated"))
    #expect(!text.contains("cautious:"))
    let json = jsonText(report.json)
    #expect(json.contains("\"kind\" : \"difference\"") && json.contains("\"pilot_traces\" : null"))
    let none = try CampaignRequest("difference:of=0.001,sd=1")
    #expect(CampaignPlanReport(try none.rows(), power: 0.8).text.text().contains("> 1000"))
  }

  @Test func `a calibration is reported with a line per length of stays`() throws {
    let request = try CalibrationPlanRequest("exponent:width=2,stay=30s,devices=3")
    let rows = request.rows()
    let report = CalibrationPlanReport(rows, goal: request.goal, power: request.power)
    let text = report.text.text()
    #expect(text.hasPrefix("places for an interval of the exponent of 2, power 80.0 %\n"))
    #expect(text.contains("3 devices with shared marks, 1 to 15 m"))
    let places = try #require(rows[0].plan.places)
    #expect(rows.count == 1 && rows[0].minutes == Double(places) / 2)
    #expect(jsonText(report.json).contains("\"stay_s\" : 30"))
  }
}
