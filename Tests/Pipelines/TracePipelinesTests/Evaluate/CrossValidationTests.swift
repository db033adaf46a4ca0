import Evaluation
import Geometry
import PathLoss
import Positioning
import Support
import Testing

@testable import TracePipelines

@Suite("What a fold of a cross-validation may see")
struct CrossValidationTests {
  private func station(_ series: String, position: UInt64 = 0) -> Station {
    Station(beacon: "a", receiver: "phone", series: series, position: position, distance: 1)
  }

  private func target(_ trace: String, node: String = "phone", places: [Double]) -> AskedTarget {
    AskedTarget(
      name: "\(trace)/\(node)", trace: trace, node: node,
      epochs: places.map { askedEpoch(x: $0, y: 0, height: 1) })
  }

  @Test func `traces: nothing of a trace, whichever node moved`() throws {
    let targets = [
      target("one", places: [1, 2]), target("two", places: [1]),
      target("one", node: "tablet", places: [3]),
    ]
    let splits = try CrossValidation.traces.splits(of: targets, stations: [], folds: nil)
    #expect(splits.map(\.name) == ["trace one", "trace two"])
    #expect(splits[0].scored.map(\.target) == [0, 2] && splits[0].learned.map(\.target) == [1])
    #expect(splits[0].scored[0].epochs == [0, 1])
    #expect(!splits[0].mayFit(station("one")) && splits[0].mayFit(station("two")))
    #expect(splits[1].mayFit(station("one")) && !splits[1].mayFit(station("two")))
  }

  @Test func `places: no visit of a place, in any trace`() throws {
    let targets = [target("one", places: [1, 2, 1]), target("two", places: [3, 1])]
    let stations = [1, 2, 3].map {
      station(
        "any",
        position: PositionNumber(
          beacon: "a", receiver: "phone", at: Point(x: $0, y: 0), z: 1
        ).value)
    }
    let splits = try CrossValidation.places.splits(of: targets, stations: stations, folds: nil)
    #expect(splits.map(\.name) == (1...3).map { "the place \($0).00, 0.00" })
    #expect(
      splits[0].scored
        == [TargetEpochs(target: 0, epochs: [0, 2]), TargetEpochs(target: 1, epochs: [1])])
    #expect(
      splits[0].learned
        == [TargetEpochs(target: 0, epochs: [1]), TargetEpochs(target: 1, epochs: [0])])
    for (index, split) in splits.enumerated() {
      #expect(stations.map(split.mayFit) == [0, 1, 2].map { $0 != index })
    }
  }

  @Test func `folds: every trace in one, with a share of each floor`() throws {
    let targets = (0..<20).map { number in
      var epoch = askedEpoch(x: 1, y: 0)
      epoch.floor = number < 10 ? 0 : 1
      return AskedTarget(trace: "t\(number)", node: "phone", epochs: [epoch])
    }
    let splits = try CrossValidation.traces.splits(of: targets, stations: [], folds: 5)
    #expect(splits.count == 5)
    #expect(splits.flatMap { $0.scored.map(\.target) }.sorted() == Array(0..<20))
    for split in splits {
      #expect(split.scored.count == 4 && split.learned.count == 16)
      #expect(split.scored.count { $0.target < 10 } == 2)
      #expect(split.scored.allSatisfy { !split.mayFit(station(targets[$0.target].trace)) })
      #expect(split.learned.allSatisfy { split.mayFit(station(targets[$0.target].trace)) })
    }
    let again = try CrossValidation.traces.splits(of: targets, stations: [], folds: 5)
    #expect(again.map(\.scored) == splits.map(\.scored))
  }

  @Test(arguments: CrossValidation.allCases)
  func `each question is scored once`(kind: CrossValidation) throws {
    let targets = [
      target("one", places: [1, 2, 1]), target("two", places: [3, 1]),
      target("three", places: [4]),
    ]
    let splits = try kind.splits(of: targets, stations: [], folds: nil)
    let scored = splits.flatMap(\.scored).flatMap { part in
      part.epochs.map { [part.target, $0] }
    }
    #expect(Set(scored).count == scored.count && scored.count == 6)
    for split in splits {
      let learned = split.learned.flatMap { part in part.epochs.map { [part.target, $0] } }
      let own = split.scored.flatMap { part in part.epochs.map { [part.target, $0] } }
      #expect(Set(learned).isDisjoint(with: own) && learned.count + own.count == 6)
    }
  }

  @Test func `one trace, or two places, leave nothing to learn from`() {
    #expect {
      try CrossValidation.traces.splits(of: [target("one", places: [1])], stations: [], folds: nil)
    } throws: { "\($0)".contains("at least 2 traces") }
    #expect {
      try CrossValidation.places.splits(
        of: [target("one", places: [1, 2])], stations: [], folds: nil)
    } throws: { "\($0)".contains("3 to 2000 places") }
  }
}

@Suite("Questions of an evaluation")
struct QuestionListTests {
  private func fold(
    _ number: Int, _ targets: [AskedTarget], _ scored: [TargetEpochs]
  ) throws -> Fold {
    let anchors = SiteAnchors(beacons: [anchorNode("a", x: 0, y: 0), anchorNode("b", x: 4, y: 0)])
    let constants = try LinkConstants(
      calibration([fittedGroup("pooled", power: -60)]), of: "c.json")
    return Fold(
      number: number, scored: scored,
      knowledge: SiteKnowledge(SitePlan(nil), anchors: anchors, constants: constants))
  }

  private let targets = [
    AskedTarget(
      trace: "one", node: "phone",
      epochs: [
        askedEpoch(at: 1, x: 1, y: 0, levels: [0: -60]),
        askedEpoch(at: 2, x: 2, y: 0, levels: [0: -60, 1: -70]),
      ]),
    AskedTarget(
      trace: "two", node: "phone", epochs: [askedEpoch(at: 9, x: 1, y: 0, levels: [1: -60])]),
  ]

  @Test
  func `each fold's questions are answered with what it knows, and keep their numbers`() throws {
    let folds = [
      try fold(
        0, targets, [TargetEpochs(target: 1, epochs: [0]), TargetEpochs(target: 0, epochs: [1])]),
      try fold(1, targets, [TargetEpochs(target: 0, epochs: [0])]),
    ]
    let list = try QuestionList(targets, folds, height: .anchors)
    #expect(list.questions.map(\.instant) == [1, 2, 9].map(seconds))
    #expect(list.questions.map(\.anchors) == [1, 2, 1])
    #expect(list.batches.map(\.questions) == [[2], [1], [0]])
    #expect(list.batches.map(\.fold) == [0, 0, 1])
    #expect(list.numbers(of: folds[0].scored) == [1..<3])
    let nearest = try ChosenAlgorithm("nearest-anchor", patience: .seconds(1))
    let answers = list.answers(
      of: [nearest], anchors: folds[0].knowledge.anchors, log: SilentLog())
    let places = answers.map { answer in
      answer[0].map { outcome -> Double? in
        if case .located(let estimate) = outcome { estimate.position.x } else { nil }
      }
    }
    #expect(places == [[4], [0], [0]])
  }
}
