import Evaluation
import Foundation
import Geometry
import Positioning
import TestSupport
import Testing

@testable import Reporting

/// Reports of two floors, on which one algorithm answers 1 m east of the truth. Each third answer is
/// on the other floor.
@Suite("Floors on the page of an evaluation")
struct FloorPanelsTests {
  /// - Parameters:
  ///   - origin: the place of the upper floor's origin in the frame of the building.
  ///   - knowsShifts: true if the site has the places of the origins.
  private func document(origin: Point, knowsShifts: Bool) -> EvaluationDocument {
    func plane(_ floor: Int) -> Point { floor == 0 ? Point(x: 0, y: 0) : origin }
    let questions = (0..<60).map { number in
      let place = Sample.place(Double(number) / 60)
      let floor = number / 10 % 2
      return Question(
        instant: Int64(number) * 2_000_000_000, asked: Int64(number) * 2_000_000_000,
        truth: Point(x: place.x - plane(floor).x, y: place.y - plane(floor).y), truthFloor: floor,
        recentLevels: number, surveyDistance: Double(number) / 10)
    }
    let traces = [EvaluatedTrace(name: "stairs", questions: questions)]
    let outcomes = questions.enumerated().map { number, question in
      let truth = question.truthFloor ?? 0
      let floor = number % 3 == 2 ? 1 - truth : truth
      var estimate = Estimate(
        position: Point(
          x: question.truth.x + plane(truth).x - plane(floor).x + 1,
          y: question.truth.y + plane(truth).y - plane(floor).y),
        uncertainty: .covariance(Covariance(xx: 1, xy: 0, yy: 1)))
      (estimate.floor, estimate.floorProbabilities) = (
        floor, floor == 0 ? [0.9, 0.1] : [0.1, 0.9]
      )
      return Outcome.located(estimate)
    }
    let answers = [AlgorithmAnswers(name: "fingerprint", outcomes: [outcomes])]
    var settings = LeaderboardSettings()
    settings.floors = ["F1", "F2"]
    var site = ReportedSite()
    site.floors = settings.floors
    site.storeys = [0, 1].map { .init(Sample.site, shift: knowsShifts ? plane($0) : nil) }
    // What is drawn of the site is in the plane of the lower floor.
    site.storeys[1].content = ReportedSite()
    return EvaluationDocument(
      title: "Two floors", traces: traces, answers: answers,
      leaderboard: Leaderboard(traces: traces, answers: answers, settings: settings), site: site,
      settings: EvaluationSettings(
        epoch: "2s", truthAt: "middle", levels: "raw", separation: .otherRecordings),
      provenance: EvaluationProvenance(version: "0.6.0", commandLine: "rssi eval", inputs: []))
  }

  /// Returns the place of a true position in the whole picture.
  private func place(_ question: Question, in panels: FloorPanels) -> (x: Double, y: Double) {
    let panel = panels.panels[question.truthFloor ?? 0]
    return (
      panel.x + (question.truth.x - panel.view.left) * panel.view.scale,
      panel.y + (panel.view.top - question.truth.y) * panel.view.scale
    )
  }

  @Test(arguments: [true, false])
  func `each floor has a panel that holds its truth`(knowsShifts: Bool) throws {
    let document = document(origin: Point(x: -300, y: 80), knowsShifts: knowsShifts)
    let panels = try #require(FloorPanels(document))
    #expect(panels.panels.map(\.name) == ["F1", "F2"])
    let (first, second) = (panels.panels[0], panels.panels[1])
    #expect(first.x + first.view.width < second.x || first.y + first.view.height < second.y)
    for question in document.traces[0].questions {
      let panel = panels.panels[question.truthFloor ?? 0]
      let (x, y) = place(question, in: panels)
      #expect((panel.x...panel.x + panel.view.width).contains(x))
      #expect((panel.y...panel.y + panel.view.height).contains(y))
    }
    for panel in panels.panels {
      #expect(panel.x + panel.view.width <= panels.view.width + 1e-6)
      #expect(panel.y + panel.view.height <= panels.view.height + 1e-6)
    }
  }

  @Test(arguments: [(Point(x: -300, y: 80), true), (Point(x: 0, y: 0), false)])
  func `panels of one frame show the same part of the building`(
    origin: Point, knowsShifts: Bool
  ) throws {
    let panels = try #require(FloorPanels(document(origin: origin, knowsShifts: knowsShifts)))
    let (first, second) = (panels.panels[0].view, panels.panels[1].view)
    #expect(isClose(first.left, second.left + origin.x, absolute: 1e-9))
    #expect(isClose(first.top, second.top + origin.y, absolute: 1e-9))
    #expect((first.width, first.height) == (second.width, second.height))
  }

  @Test func `one plane has no panels`() {
    #expect(FloorPanels(Sample(walks: 1, questionsEach: 20).document) == nil)
  }

  @Test func `tables have the floors by condition and by claim`() {
    let text = MarkdownReport(document(origin: Point(x: 0, y: 0), knowsShifts: true)).text
    for line in [
      "## Floors", "| F1 | 20 | 10 | 0 |",
      // The numbers of the questions are their levels, and ten times their distances.
      "| all epochs | 60 | 60 | 66.7 % | – | 1.00 | 1.00 | 16.00 |",
      "| 0 levels in 10 s | 1 | 1 | 100.0 % | – | 1.00 | 1.00 | 1.00 |",
      "| 1 to 4 levels in 10 s | 4 | 4 | 75.0 % | – | 1.00 | 1.00 | 4.75 |",
      "| up to 2 m from the survey | 21 | 21 | 66.7 % | – | 1.00 | 1.00 | 16.00 |",
      "| at least 10 levels, up to 4 m | 31 | 31 | 67.7 % | – | 1.00 | 1.00 | 16.00 |",
      "| at least 0.80 | 60 | 66.7 % |",
    ] {
      #expect(text.contains(line), "\(line)")
    }
    // No question is farther than 8 m.
    #expect(!text.contains("more than 8 m"))
  }

  @Test(.enabled(if: Chromium.isThere))
  func `the plan names the floors of the truth and of the answer`() throws {
    let html = HTMLReport(document(origin: Point(x: -300, y: 80), knowsShifts: true)).text
    let (texts, page) = try Chromium.readouts(
      html, after: ["", "byId('plan-forward').click(); byId('plan-forward').click()"], last: 50)
    #expect(page.console.isEmpty)
    #expect(texts[0].contains("truth F1: 1.50, 1.50 m") && texts[0].contains("error 1.00 m answer"))
    #expect(texts[1].contains("wrong floor answer F2: 302.50"))
    // The ways of all traces show where people walk.
    #expect(page.document.contains("class=\"ways\""))
    // The answer on the other floor has no line to the truth.
    let now = try #require(page.document.components(separatedBy: "id=\"plan-now\"").last)
    #expect(now.contains("class=\"now\"") && !now.contains("class=\"miss\""))
  }
}
