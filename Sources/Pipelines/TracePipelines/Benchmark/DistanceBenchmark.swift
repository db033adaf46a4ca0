import Evaluation
import PathLoss
import Sightings
import Support
import TraceStore

/// A comparison of algorithms that estimate the distances of links from their levels.
struct DistanceBenchmark: Sendable {
  /// Traces with stays at known distances.
  var inputs: [String] = []
  /// The unit to leave out: a place, whose distance is asked from the other places of its series, or
  /// a series, asked from the other series.
  var crossValidate: CrossValidation
  /// The length of the windows whose mean level is asked; `nil` for whole stays.
  var window: Duration?
  /// Path-loss models of `rssi fit`, and algorithms that learn from a survey.
  var algorithms: [String] = []

  /// Asks for the distance of every window from what other units teach.
  ///
  /// - Throws: `RSSIError` for inputs that cannot be read, or without several units to leave out.
  func evaluation(
    by methods: [DistanceMethod], times: AnswerTimes, in context: StageContext
  ) throws -> DistanceEvaluation {
    var request = FitRequest()
    request.inputs = inputs
    let stations = try FitRun(request, in: context).readings().stations
    let units = try units(note: context.log.note)
    guard units.count > 1 else {
      throw RSSIError(
        .badInput,
        "distances need at least 2 \(crossValidate == .places ? "places" : "series") with stays at "
          + "known distances, found \(units.count)")
    }
    let line = context.log.progress("distances", total: units.count * methods.count)
    let answers = parallel(units.count * methods.count, done: line.update) { job in
      let (asked, method) = (units[job / methods.count], methods[job % methods.count])
      let lesson = DistanceLesson(
        stations: stations.filter { teaches($0.series, $0.distance, asked) },
        learned: units.enumerated().flatMap { number, unit in
          unit.questions.filter { teaches($0.series, $0.truth, asked) }.map { (number, $0) }
        },
        asked: asked.questions)
      let began = SystemClock.monotonic
      let answers = method.answers(lesson)
      times.add(
        answers.count, of: method.name, seconds: Double(SystemClock.monotonic - began) / 1e9)
      return answers
    }
    line.finish()
    return DistanceEvaluation(
      units: units,
      answers: methods.enumerated().map { number, method in
        DistanceAnswers(
          name: method.name,
          outcomes: units.indices.map { answers[$0 * methods.count + number] })
      })
  }

  /// Returns whether readings may be learned from to answer the questions of a unit.
  private func teaches(
    _ series: String, _ distance: Double, _ unit: DistanceEvaluation.Unit
  ) -> Bool {
    guard let asked = unit.questions.first else { return false }
    return crossValidate == .traces
      ? series != asked.series : series == asked.series && distance != asked.truth
  }

  /// A window of a stay.
  private struct Window: Hashable {
    var input: Int
    var stay: Int
    var number: Int64
  }

  /// Returns the mean level of each window, by units in the order of series and distances.
  private func units(note: (String) -> Void) throws -> [DistanceEvaluation.Unit] {
    var questions: [Window: DistanceQuestion] = [:]
    for (input, path) in inputs.enumerated() {
      let reader = try TraceReader(path: path)
      try reader.requireUsablePlaces(note: note)
      let catalogue = reader.catalogue
      try reader.forEachBlock([.time, .link, .rssi, .stay]) { rows in
        for row in rows.rssi.indices where rows.rssi[row].isFinite {
          let stay = Int(rows.stay[row])
          guard catalogue.stays.indices.contains(stay), case let place = catalogue.stays[stay],
            place.distance >= Station.nearest
          else { continue }
          let time = rows.time[row]
          let number = window.map { (time - place.start) / $0.nanoseconds } ?? 0
          questions[
            Window(input: input, stay: stay, number: number),
            default: DistanceQuestion(
              series: catalogue.traces[Int(place.trace)], at: place.distance, time: time)
          ].add(level: Double(rows.rssi[row]), time: time)
        }
      }
    }
    return Dictionary(grouping: questions.values) { question in
      crossValidate == .places
        ? "\(question.series), \(plain(question.truth)) m" : question.series
    }.map { name, questions in
      DistanceEvaluation.Unit(
        name: name,
        questions: questions.sorted {
          ($0.span.upperBound, $0.span.lowerBound, $0.level)
            < ($1.span.upperBound, $1.span.lowerBound, $1.level)
        })
    }.sorted { ($0.questions[0].series, $0.name) < ($1.questions[0].series, $1.name) }
  }
}
