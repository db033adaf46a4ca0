import Evaluation
import Foundation
import Geometry
import Positioning
import TestSupport
import Testing

@testable import Reporting

struct FilesTests {
  private func csv(_ document: EvaluationDocument) -> String {
    var text = ""
    AnswersCSV(document).write { text += $0 }
    return text
  }

  @Test
  func `the answers' errors have the leaderboard's figures, by Python's csv and numpy`() throws {
    let document = Sample(walks: 3, questionsEach: 20).document
    let scratch = try TemporaryDirectory()
    let result = try runPython(
      """
      import csv, sys, numpy as np
      rows = list(csv.DictReader(open(sys.argv[1], newline="")))
      summary = list(csv.DictReader(open(sys.argv[2], newline="")))
      for line in summary:
        mine = [r for r in rows if r["algorithm"] == line["algorithm"]]
        given = [r for r in mine if r["refusal"] == ""]
        e = np.hypot([float(r["x_m"]) - float(r["truth_x_m"]) for r in given], [float(r["y_m"]) - float(r["truth_y_m"]) for r in given])
        assert len(mine) == int(line["asked"]) and len(given) == int(line["answered"])
        assert np.allclose(e, [float(r["error_m"]) for r in given], atol=2e-4)
        for name, value in [("mean_m", e.mean()), ("rms_m", np.sqrt((e**2).mean())), ("median_m", np.median(e)), ("p75_m", np.quantile(e, .75)), ("max_m", e.max())]:
          assert abs(float(line[name]) - value) < 3e-4, (line["algorithm"], name, line[name], value)
        assert all((r["var_xx_m2"] == "") == (r["refusal"] + r["no_covariance"] != "") for r in mine)
      print(len(rows), len(summary), rows[0]["instant_s"], rows[0]["asked_s"], summary[0]["scoring"])
      """,
      [
        try scratch.write(csv(document), to: "answers.csv"),
        try scratch.write(SummaryCSV(document).text, to: "summary.csv"),
      ])
    #expect(result.error == "")
    #expect(result.output == "300 5 1700000002.000000 1700000001.000000 other-recordings\n")
  }

  @Test func `hostile names come through, and no field is a formula`() throws {
    let scratch = try TemporaryDirectory()
    let document = Hostile.document
    let result = try runPython(
      """
      import csv, sys, json
      for path, name in [(sys.argv[1], "trace"), (sys.argv[2], "algorithm")]:
        rows = list(csv.DictReader(open(path, newline="", encoding="utf-8"), strict=True))
        names = list(dict.fromkeys(r[name] for r in rows))
        assert all(None not in r and None not in r.values() for r in rows)
        assert not any(v and v[0] in "=+@\\t\\r" or v[0:2] == "-1" and name == "algorithm" and v == "-1+1" for r in rows for v in r.values())
        print(len(rows), json.dumps(sorted(n.lstrip("'") for n in names)))
      """,
      [
        try scratch.write(csv(document), to: "answers.csv"),
        try scratch.write(SummaryCSV(document).text, to: "summary.csv"),
      ])
    #expect(result.error == "")
    let lines = result.output.split(separator: "\n")
    try #require(lines.count == 2)
    #expect(lines[0].hasPrefix("324 ") && lines[1].hasPrefix("9 "))
    for line in lines {
      let names =
        try JSONSerialization.jsonObject(with: Data(line.drop { $0 != "[" }.utf8)) as? [String]
      #expect(names.map(Set.init) == Set(Hostile.names))
    }
  }

  @Test
  func `members without a part in a combination are listed, answer by answer and in total`() throws
  {
    var document = Sample(walks: 2, questionsEach: 3).document
    guard case .located(var estimate) = document.answers[0].outcomes[1][2] else {
      Issue.record("the sample's grid filter always answers")
      return
    }
    estimate.leftOut = [
      "epta": .refused(.notConverged), "centroid": .withoutCovariance(.noErrorModel),
    ]
    document.answers[0].outcomes[1][2] = .located(estimate)
    let lines = csv(document).split(separator: "\n").filter {
      $0.contains(",centroid=no-error-model epta=not-converged,")
    }
    #expect(lines.count == 1 && lines[0].contains("walk 2,3,"))
    let table = try #require(document.leftOutTable)
    #expect(
      table.rows.map { $0.map(\.text) } == [
        ["grid-filter", "centroid", "no-error-model", "1"],
        ["grid-filter", "epta", "not-converged", "1"],
      ])
    let section = MarkdownReport(document).text
    #expect(section.contains("| grid-filter | epta | not-converged | 1 |"))
  }

  @Test func `is passed on in pieces of whole lines`() {
    var pieces: [String] = []
    AnswersCSV(Sample(walks: 4, questionsEach: 100).document).write { pieces.append($0) }
    #expect(pieces.count > 2)
    #expect(pieces.allSatisfy { $0.hasSuffix("\n") && $0.utf8.count < 80_000 })
    #expect(pieces.joined().split(separator: "\n").count == 1 + 4 * 100 * 5)
  }

  @Test func `every table of the Markdown has as many cells in each line, whatever the names`() {
    for document in [Sample(walks: 2, questionsEach: 5).document, Hostile.document] {
      let text = MarkdownReport(document).text
      var tables = 0
      var width: Int?
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        guard line.hasPrefix("|") else {
          width = nil
          continue
        }
        let cells = line.replacing("\\\\", with: "").replacing("\\|", with: "").count { $0 == "|" }
        if width == nil { tables += 1 }
        #expect(cells == width ?? cells, "\(line)")
        width = cells
      }
      #expect(tables >= 9)
      // What was typed stands in a fence, as it is.
      let prose = text.replacing(/(?s)(`{3,})sh\n.*\n\1/, with: "")
      #expect(!prose.contains("<img") && !prose.contains("<script"))
      #expect(MarkdownReport(document).text == text)
    }
  }

  @Test func `the Markdown begins with the verdict`() {
    var document = Sample(walks: 8, questionsEach: 40).document
    #expect(MarkdownReport(document).text.hasPrefix("# Two rooms\n\nWinner: **grid-filter**"))
    document.settings.separation = .inSample
    #expect(MarkdownReport(document).text.hasPrefix("# Two rooms\n\n> **IN SAMPLE"))
  }
}
