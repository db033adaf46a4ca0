import Evaluation
import Geometry
import Positioning
import Reporting

/// A document whose every name is an attack or an accident.
enum Hostile {
  static let names = [
    "</script><img src=x onerror=\"document.body.dataset.owned=1\">", "\"quoted\", 'and' | piped",
    "=HYPERLINK(\"http://example.com\")", "new\nline\rand\ttab", "\u{202E}sdrawkcab <b>&amp;</b>",
    "Zoë’s 家 🧭", "<!-- ` \\ *_[x](y) -->", "-1+1", "null\0byte\u{7F}\u{FFFF}\u{2028}",
  ]

  static var document: EvaluationDocument {
    let script = "<script nonce=\"rssi\">document.body.dataset.owned=1</script>"
    var sample = Sample(walks: names.count, questionsEach: 4)
    sample.characters = names.enumerated().map { index, name in
      Sample.Character(name: name, deviation: 0.5 + Double(index), refused: 0.2)
    }
    var traces = sample.traces
    for index in names.indices { traces[index].name = names[index] }
    let answers = sample.answers(to: traces)
    var site = Sample.site
    for index in site.anchors.indices { site.anchors[index].name = names[index] }
    site.rooms = zip(site.rooms, names).map { Polygon(name: $1, corners: $0.corners) }
    site.walls[0].kind = script
    site.spots[0].name = script
    var settings = EvaluationSettings(
      epoch: script, window: names[0], truthAt: names[1], levels: names[4], separation: .inSample)
    settings.others = names.map { EvaluationSettings.Other(name: $0, value: $0) }
    return EvaluationDocument(
      title: names[0], traces: traces, answers: answers,
      leaderboard: Sample.leaderboard(traces, answers, zones: site.rooms), site: site,
      calibration: names.map {
        ReportedCalibration(group: $0, leftOut: $0, measuredPower: -60, exponent: 2, sigma: 4)
      },
      settings: settings,
      provenance: EvaluationProvenance(
        version: script, commandLine: names.joined(separator: " ") + " ```",
        inputs: names.map { EvaluationProvenance.Input(name: $0, sha256: script, bytes: .max) }),
      notes: names)
  }
}
