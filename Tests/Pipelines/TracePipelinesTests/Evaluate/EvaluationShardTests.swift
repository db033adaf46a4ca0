import Evaluation
import Foundation
import Geometry
import Positioning
import Support
import TestSupport
import Testing

@testable import TracePipelines

/// Three recordings of four, three and two questions, each a fold, and two algorithms.
private struct Sample {
  var resampled = EvaluationSettings.Resampled.traces
  let sizes = [4, 3, 2]

  var outline: EvaluationOutline {
    EvaluationOutline(
      title: "sample",
      recordings: sizes.enumerated().map { .init(name: "walk-\($0 + 1)", questions: $1) },
      algorithms: [
        .init(name: "near", isCausal: true), .init(name: "far:x=1", isCausal: false),
      ], folds: ["trace walk-1", "trace walk-2", "trace walk-3"],
      settings: EvaluationSettings(
        epoch: "2s", truthAt: "middle", levels: "raw", separation: .crossValidated,
        resampled: resampled, others: [.init(name: "fits by", value: "pooled")]),
      measuresLag: false, notes: ["first"], lastNotes: ["last"],
      site: ReportedSite(
        anchors: [.init(name: "a", place: Point(x: 0, y: 0.1), height: 2.5)],
        walls: [.init(points: [Point(x: 0, y: 0), Point(x: 5, y: 0)])],
        rooms: [Polygon(name: "hall", corners: [Point(x: 0, y: 0), Point(x: 5, y: 0)])],
        bounds: Bounds(minimum: Point(x: -1, y: -1), maximum: Point(x: 6, y: 6), heights: 0...3)),
      provenance: EvaluationProvenance(
        version: "1.2.3", commandLine: "rssi eval walks.h5",
        inputs: [.init(name: "walks.h5", sha256: "ab", bytes: 1 << 60)]))
  }

  /// A part with some of the folds. Recordings stand at the same places, in turn.
  func part(_ folds: [Int]) -> EvaluationShard {
    let total = sizes.reduce(0, +)
    let answered = folds.map { fold in
      let first = sizes[..<fold].reduce(0, +)
      let numbers = Array(first..<first + sizes[fold])
      var answer = AnsweredFold(
        number: fold, numbers: numbers,
        learned: [0..<first, first + sizes[fold]..<total].filter { !$0.isEmpty },
        calibration: [
          ReportedCalibration(
            group: "all links", leftOut: outline.folds[fold], measuredPower: -59.1,
            exponent: 2 + 1 / 3.0, sigma: 4)
        ],
        notes: ["middle"], outcomes: [])
      answer.questions = numbers.enumerated().map { index, number in
        Question(
          instant: Int64(number) * 1_000_000_000, asked: Int64(number) * 1_000_000_000 - 1,
          truth: Point(x: Double(index), y: 0.1), truthHeight: 1.5, velocity: Velocity(x: 1, y: 0),
          recording: fold, newest: 5, anchors: 3, packets: 7,
          bound: Covariance(xx: 1 / 3.0, xy: 0, yy: 1))
      }
      answer.outcomes = [
        numbers.map { number in
          var estimate = Estimate(
            position: Point(x: Double(number) / 7, y: -0.3), height: 1.1,
            uncertainty: .covariance(
              Covariance(xx: 1 / 9.0, xy: 0.01, yy: 1, vertical: .init(xz: 0, yz: 0, zz: 2))),
            alternative: SpacePoint(x: 1, y: 2, z: 3))
          estimate.leftOut = ["kalman": .withoutCovariance(.onTheEdge), "b": .refused(.noSurvey)]
          return .located(estimate)
        },
        numbers.map { number in
          number % 2 == 0
            ? .refused(.tooFewAnchors)
            : .located(
              Estimate(
                position: Point(x: 1e-17, y: 123456.789),
                uncertainty: .unavailable(.noErrorModel)))
        },
      ]
      return answer
    }
    return EvaluationShard(variants: [.init(name: "", outline: outline, folds: answered)])
  }
}

@Suite("Parts of an evaluation")
struct EvaluationShardTests {
  private let sample = Sample()

  private func merged(_ parts: EvaluationShard...) throws -> EvaluationShard {
    try EvaluationShard(merging: parts.enumerated().map { ("part-\($0 + 1)", $1) })
  }

  @Test func `merge into the whole in any order, also where one is empty`() throws {
    let whole = sample.part([0, 1, 2])
    #expect(try merged(sample.part([2]), sample.part([]), sample.part([1, 0])) == whole)
    #expect(try merged(whole) == whole)
    let document = try whole.document()
    #expect(document.traces.map(\.questions.count) == [4, 3, 2])
    #expect(document.answers.map(\.name) == ["near", "far:x=1"])
    #expect(document.notes == ["first", "middle", "last"])
    #expect(document.calibration.count == 3)
  }

  @Test func `are drawn by place, or by block of time, over all folds`() throws {
    let places = try Sample(resampled: .places).part([0, 1, 2]).document()
    #expect(places.traces.map(\.name) == (0...3).map { "\($0).00, 0.10" })
    #expect(places.traces[1].questions.map(\.recording) == [0, 1, 2])
    #expect(places.answers[0].outcomes.map(\.count) == [3, 3, 2, 1])
    let blocks = try Sample(resampled: .blocks(2_000_000_000)).part([0, 1, 2]).document()
    #expect(
      blocks.traces.map(\.name) == [
        "walk-1, block 1", "walk-1, block 2", "walk-2, block 1", "walk-2, block 2",
        "walk-3, block 1",
      ])
  }

  @Test func `that are missing or there twice are refused by name`() {
    #expect {
      try merged(sample.part([0]), sample.part([2]))
    } throws: { "\($0)".contains("1 of 3 folds") }
    #expect {
      try merged(sample.part([0, 1]), sample.part([1, 2]))
    } throws: { "\($0)".contains("in part-1, part-2") }
  }

  @Test func `parts of another evaluation are refused with the difference`() {
    func changed(_ change: (inout EvaluationOutline) -> Void) -> EvaluationShard {
      var part = sample.part([1, 2])
      change(&part.variants[0].outline)
      return part
    }
    let cases: [(EvaluationShard, String)] = [
      (changed { $0.provenance.version = "1.3" }, "one of rssi 1.3"),
      (changed { $0.provenance.commandLine += " -x" }, "`rssi eval walks.h5 -x`"),
      (changed { $0.provenance.inputs[0].sha256 = "cd" }, "a different file"),
      (changed { $0.settings.sharedShare = 0.2 }, "recordings differ"),
      (changed { $0.recordings[0].name = "other" }, "recordings differ"),
    ]
    for (part, words) in cases {
      #expect { try merged(sample.part([0]), part) } throws: { "\($0)".contains(words) }
    }
  }

  @Test func `parts that learned from the data that they score are refused`() {
    var part = sample.part([1, 2])
    part.variants[0].folds[0].learned = [0..<5]
    #expect { try merged(sample.part([0]), part) } throws: {
      "\($0)".contains("part-2: trace walk-2")
    }
  }

  @Test func `come back from their files as they were, and damaged ones are refused`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("part.ndjson")
    for part in [sample.part([0, 1, 2]), sample.part([1]), sample.part([])] {
      try part.write(to: path)
      #expect(try EvaluationShard(path: path) == part)
    }
    try sample.part([0, 2]).write(to: path)
    let whole = try Data(contentsOf: URL(filePath: path))
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<200 {
      var damaged = whole
      if Bool.random(using: &generator) {
        damaged.removeLast(Int.random(in: 2...damaged.count, using: &generator))
      } else {
        damaged[Int.random(in: 0..<damaged.count - 1, using: &generator)] ^= 1
      }
      try damaged.write(to: URL(filePath: path))
      let error = #expect(throws: RSSIError.self) { try EvaluationShard(path: path) }
      #expect(error?.kind == .badInput)
    }
  }

  @Test
  func `that were altered with a right digest are refused or scored, and never trap`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("part.ndjson")
    try Sample(resampled: .blocks(2_000_000_000)).part([0, 1, 2]).write(to: path)
    let lines = try String(contentsOf: URL(filePath: path), encoding: .utf8)
      .split(separator: "\n").dropLast()
    let values = [
      "0", "-1", "1e300", "-1e300", "9223372036854775807", "-9223372036854775808", "null", "[]",
      "{}", "\"\"", "0.5", "4611686018427387904",
    ]
    var generator = SeededGenerator(seed: 2)
    var scored = 0
    for _ in 0..<400 {
      var altered = lines.map(String.init)
      let line = Int.random(in: altered.indices, using: &generator)
      let numbers = altered[line].matches(of: /-?\d+(\.\d+)?(e-?\d+)?/)
      let hit = try #require(numbers.randomElement(using: &generator))
      altered[line].replaceSubrange(
        hit.range, with: try #require(values.randomElement(using: &generator)))
      let text = altered.map { $0 + "\n" }.joined()
      let digest = sha256(Array(text.utf8).span)
      try (text + #"{"sha256":"\#(digest)"}"# + "\n")
        .write(toFile: path, atomically: false, encoding: .utf8)
      do {
        _ = try EvaluationShard(merging: [path]).document()
        scored += 1
      } catch let error as RSSIError {
        #expect(error.kind == .badInput)
      }
    }
    #expect(scored > 20, "\(scored)")
  }
}
