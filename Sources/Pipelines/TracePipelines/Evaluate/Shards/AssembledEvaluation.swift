public import Evaluation
import Geometry
import Positioning
import Support

extension EvaluationShard {
  /// Scores the answers.
  ///
  /// - Throws: `RSSIError` if the variants do not answer the same questions.
  public func document() throws -> EvaluationDocument {
    var traces: [EvaluatedTrace] = []
    var answers: [AlgorithmAnswers] = []
    var owners: [Int]?
    for variant in variants {
      let (asked, answered, owned) = variant.scored
      owners = owned
      traces = try traces.isEmpty ? asked : shared(traces, asked, variant.name)
      for var answer in answered {
        let isRepeated = answers.contains { other in
          other.name.hasPrefix(answer.name + " @ ") && other.outcomes == answer.outcomes
        }
        if variants.count > 1 { answer.name += " @ " + variant.name }
        if !isRepeated { answers.append(answer) }
      }
    }
    var document = variants[0].document(traces, answers, owners)
    for variant in variants.dropFirst() { document.add(variant) }
    return document
  }

  /// Returns the questions of two variants, with the bound if both have the same.
  private func shared(
    _ traces: [EvaluatedTrace], _ others: [EvaluatedTrace], _ name: String
  ) throws(RSSIError) -> [EvaluatedTrace] {
    func places(_ traces: [EvaluatedTrace]) -> [[[Double]]] {
      traces.map { trace in
        trace.questions.map { [Double($0.instant), $0.truth.x, $0.truth.y] }
      }
    }
    guard traces.map(\.name) == others.map(\.name), places(traces) == places(others) else {
      throw RSSIError(
        .badInput, "\(variants[0].name) and \(name) estimate positions at different instants",
        advice: "evaluate them one after the other")
    }
    return zip(traces, others).map { trace, other in
      var trace = trace
      for index in trace.questions.indices
      where trace.questions[index].bound != other.questions[index].bound {
        trace.questions[index].bound = nil
      }
      return trace
    }
  }
}

extension EvaluationShard.Variant {
  /// The questions and answers in the units that intervals resample, and the trace of each unit;
  /// nil if the units are not blocks.
  fileprivate var scored: (traces: [EvaluatedTrace], answers: [AlgorithmAnswers], owners: [Int]?) {
    let total = outline.recordings.reduce(0) { $0 + $1.questions }
    var questions = [Question?](repeating: nil, count: total)
    var outcomes = outline.algorithms.map { _ in [Outcome?](repeating: nil, count: total) }
    for fold in folds {
      for (index, number) in fold.numbers.enumerated() {
        questions[number] = fold.questions[index]
        for algorithm in outcomes.indices {
          outcomes[algorithm][number] = fold.outcomes[algorithm][index]
        }
      }
    }
    let units = outline.settings.resampled.units(of: outline.recordings, questions)
    let traces = units.map { unit in
      EvaluatedTrace(name: unit.name, questions: unit.numbers.compactMap { questions[$0] })
    }
    let answers = zip(outline.algorithms, outcomes).map { algorithm, outcomes in
      AlgorithmAnswers(
        name: algorithm.name, isCausal: algorithm.isCausal,
        outcomes: units.map { unit in unit.numbers.compactMap { outcomes[$0] } })
    }
    let owners = units.compactMap(\.recording)
    return (traces, answers, owners.isEmpty ? nil : owners)
  }

  fileprivate func document(
    _ traces: [EvaluatedTrace], _ answers: [AlgorithmAnswers], _ owners: [Int]?
  ) -> EvaluationDocument {
    var settings = LeaderboardSettings()
    settings.zones = outline.site.rooms
    settings.floors = outline.site.floors
    settings.measuresLag = outline.measuresLag
    settings.bootstrap.owners = owners
    settings.test.owners = owners
    settings.test.margin = outline.settings.margin
    settings.origins = outline.recordings.compactMap { recording in
      recording.device.flatMap { device in
        recording.site.map { RecordingOrigin(device: device, site: $0) }
      }
    }
    return EvaluationDocument(
      title: outline.title, traces: traces, answers: answers,
      leaderboard: Leaderboard(traces: traces, answers: answers, settings: settings),
      site: outline.site, calibration: calibration, settings: outline.settings,
      provenance: outline.provenance, notes: notes, owners: owners)
  }

  fileprivate var notes: [String] {
    outline.notes + Set(folds.flatMap(\.notes)).sorted() + outline.lastNotes
  }

  /// The constants of all folds, each once.
  fileprivate var calibration: [ReportedCalibration] {
    var known: [ReportedCalibration] = []
    for fold in folds {
      known += fold.calibration.filter { $0.leftOut != nil || !known.contains($0) }
    }
    return known
  }
}

extension EvaluationDocument {
  /// Adds the settings of another variant of the same questions.
  fileprivate mutating func add(_ other: EvaluationShard.Variant) {
    notes += other.notes.filter { !notes.contains($0) }
    calibration += other.calibration.filter { !calibration.contains($0) }
    let others = other.outline.settings
    if !settings.levels.split(separator: ", ").contains(Substring(others.levels)) {
      settings.levels += ", " + others.levels
    }
    if others.separation == .inSample { settings.separation = .inSample }
    settings.sharedShare = settings.sharedShare.flatMap { own in
      others.sharedShare.map { max(own, $0) }
    }
    provenance.inputs += other.outline.provenance.inputs.filter {
      !provenance.inputs.contains($0)
    }
  }
}

/// Questions that are resampled and compared as a whole.
private struct QuestionUnit {
  var name: String
  var numbers: [Int]
  /// The number of the recording that it is a block of; nil for another unit.
  var recording: Int?
}

extension EvaluationSettings.Resampled {
  /// Returns the traces; or the places, each with all its visits, since they share shadowing; or
  /// blocks of time of each trace. Units without a question are left out.
  ///
  /// - Parameter questions: the questions by number; nil for those that were not asked.
  fileprivate func units(
    of recordings: [EvaluationOutline.Recording], _ questions: [Question?]
  ) -> [QuestionUnit] {
    var end = 0
    let traces = recordings.map { recording in
      defer { end += recording.questions }
      let numbers = (end..<end + recording.questions).filter { questions[$0] != nil }
      return QuestionUnit(name: recording.name, numbers: numbers)
    }.filter { !$0.numbers.isEmpty }
    switch self {
    case .traces: return traces
    case .places: return places(questions)
    case .blocks(let length):
      return traces.enumerated().flatMap { blocks(of: $1, number: $0, questions, length) }
    }
  }

  /// Returns a trace in blocks of time, from its first question on; empty blocks are left out.
  private func blocks(
    of trace: QuestionUnit, number recording: Int, _ questions: [Question?], _ length: Int64
  ) -> [QuestionUnit] {
    let instants = trace.numbers.map { questions[$0]?.instant ?? 0 }
    guard let start = instants.min() else { return [] }
    var blocks: [(number: Int64, unit: QuestionUnit)] = []
    for (question, instant) in zip(trace.numbers, instants) {
      let number = (instant - start) / length
      if blocks.last?.number != number {
        let name = "\(trace.name), block \(number + 1)"
        blocks.append((number, QuestionUnit(name: name, numbers: [], recording: recording)))
      }
      blocks[blocks.count - 1].unit.numbers.append(question)
    }
    return blocks.map(\.unit)
  }

  private func places(_ questions: [Question?]) -> [QuestionUnit] {
    var indices: [Point: Int] = [:]
    var places: [QuestionUnit] = []
    for (number, question) in questions.enumerated() {
      guard let place = question?.truth else { continue }
      if let known = indices[place] {
        places[known].numbers.append(number)
      } else {
        indices[place] = places.count
        places.append(
          QuestionUnit(name: "\(decimal(place.x, 2)), \(decimal(place.y, 2))", numbers: [number]))
      }
    }
    return places
  }
}
