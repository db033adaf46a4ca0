import Evaluation
import Geometry
import Positioning
import Reporting
import TestSupport

/// Made-up walks through two rooms, and the answers of made-up algorithms of known character.
struct Sample {
  var walks = 8
  var questionsEach = 60
  var seed: UInt64 = 7

  static let anchors: [ReportedSite.Anchor] = [
    ("hall door", 0.3, 0.3), ("hall window", 0.3, 7.7), ("passage", 6, 4),
    ("office shelf", 11.7, 0.3),
    ("office window", 11.7, 7.7), ("kitchen", 6.2, 7.6), ("stairs", 5.8, 0.4),
  ].map { ReportedSite.Anchor(name: $0.0, place: Point(x: $0.1, y: $0.2), height: 2.4) }

  static let site = ReportedSite(
    anchors: anchors,
    walls: [
      ReportedSite.Wall(
        kind: "brick",
        points: [(0, 0), (12, 0), (12, 8), (0, 8), (0, 0)].map { Point(x: $0.0, y: $0.1) }),
      ReportedSite.Wall(kind: "plaster", points: [Point(x: 6, y: 0), Point(x: 6, y: 3.2)]),
      ReportedSite.Wall(kind: "plaster", points: [Point(x: 6, y: 4.8), Point(x: 6, y: 8)]),
    ],
    rooms: [
      Polygon(name: "hall", corners: rectangle(0, 0, 6, 8)),
      Polygon(name: "office", corners: rectangle(6, 0, 12, 8)),
    ],
    spots: [
      ReportedSite.Spot(name: "desk", place: Point(x: 10, y: 6)),
      ReportedSite.Spot(name: "printer", place: Point(x: 2, y: 6.5)),
    ],
    bounds: Bounds(minimum: Point(x: 0, y: 0), maximum: Point(x: 12, y: 8)))

  static func rectangle(_ x: Double, _ y: Double, _ right: Double, _ top: Double) -> [Point] {
    [Point(x: x, y: y), Point(x: right, y: y), Point(x: right, y: top), Point(x: x, y: top)]
  }

  /// A round through both rooms.
  static func place(_ share: Double) -> Point {
    let corners = [
      (1.5, 1.5), (1.5, 6.5), (4.5, 6.5), (4.5, 4), (7.5, 4), (7.5, 6.5), (10.5, 6.5), (10.5, 1.5),
    ]
    .map { Point(x: $0.0, y: $0.1) }
    let leg = share.truncatingRemainder(dividingBy: 1) * Double(corners.count - 1)
    let from = corners[Int(leg)]
    let to = corners[min(Int(leg) + 1, corners.count - 1)]
    let part = leg - leg.rounded(.down)
    return Point(x: from.x + part * (to.x - from.x), y: from.y + part * (to.y - from.y))
  }

  /// One algorithm's character: the standard deviation of its error in metres, the share it
  /// refuses, how many times too small it thinks its error, nil = it claims none.
  struct Character {
    var name: String
    var deviation: Double
    var refused = 0.0
    var pull = 0.0
    var overconfidence: Double? = 1
  }

  static let characters = [
    Character(name: "grid-filter", deviation: 0.5),
    Character(name: "maximum-likelihood", deviation: 0.9, refused: 0.02, overconfidence: 1.5),
    Character(name: "weighted-centroid:degree=2", deviation: 0.6, pull: 0.35, overconfidence: nil),
    Character(name: "power-center", deviation: 2.2, refused: 0.3),
    Character(name: "range-least-squares", deviation: 1.1, refused: 0.05),
  ]

  var characters = Sample.characters

  var traces: [EvaluatedTrace] {
    (0..<walks).map { walk in
      EvaluatedTrace(
        name: "walk \(walk + 1)",
        questions: (0..<questionsEach).map { number in
          let instant = 1_700_000_000_000_000_000 + Int64(number + 1) * 2_000_000_000
          return Question(
            instant: instant, asked: instant - 1_000_000_000,
            truth: Self.place(Double(number) / Double(questionsEach)),
            newest: instant - 50_000_000, anchors: 4 + number % 4,
            bound: Covariance(xx: 0.3, xy: 0.02, yy: 0.25))
        })
    }
  }

  func answers(to traces: [EvaluatedTrace]) -> [AlgorithmAnswers] {
    var random = SeededGenerator(seed: seed)
    return characters.map { character in
      AlgorithmAnswers(
        name: character.name,
        outcomes: traces.map { trace in
          let luck = 1 + 0.15 * random.gaussian()
          return trace.questions.map { question in
            if Double.random(in: 0..<1, using: &random) < character.refused {
              return .refused(question.anchors < 5 ? .tooFewAnchors : .noCommonPoint)
            }
            let dx = luck * character.deviation * random.gaussian()
            let dy = luck * character.deviation * random.gaussian()
            let position = Point(
              x: question.truth.x + dx + character.pull * (6 - question.truth.x),
              y: question.truth.y + dy + character.pull * (4 - question.truth.y))
            let uncertainty = character.overconfidence.map { times in
              let variance = character.deviation * character.deviation / (times * times)
              return Uncertainty.covariance(
                Covariance(xx: 1.3 * variance, xy: 0.2 * variance, yy: 0.8 * variance))
            }
            return .located(
              Estimate(position: position, uncertainty: uncertainty ?? .unavailable(.noErrorModel)))
          }
        })
    }
  }

  var document: EvaluationDocument {
    let traces = traces
    let answers = answers(to: traces)
    return EvaluationDocument(
      title: "Two rooms", traces: traces, answers: answers,
      leaderboard: Self.leaderboard(traces, answers), site: Self.site,
      calibration: [
        ReportedCalibration(
          group: "all links", measuredPower: -61.25, exponent: 1.87, sigma: 4.9, samples: 1834)
      ],
      settings: EvaluationSettings(
        epoch: "2s", truthAt: "middle", levels: "raw", separation: .otherRecordings),
      provenance: EvaluationProvenance(
        version: "0.6.0",
        commandLine: "rssi eval walks.h5 --calibration bench.json --report report.html",
        inputs: [
          EvaluationProvenance.Input(
            name: "walks.h5", sha256: String(repeating: "0f", count: 32), bytes: 123_456)
        ]))
  }

  static func leaderboard(
    _ traces: [EvaluatedTrace], _ answers: [AlgorithmAnswers], zones: [Polygon] = site.rooms
  ) -> Leaderboard {
    var settings = LeaderboardSettings()
    settings.zones = zones
    settings.bootstrap.resamples = 200
    return Leaderboard(traces: traces, answers: answers, settings: settings)
  }
}
