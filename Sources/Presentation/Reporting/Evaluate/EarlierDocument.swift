package import Evaluation
import Support

/// The part of the document of ``EvaluationJSON`` that is compared.
private struct EarlierDocument: Decodable {
  struct Errors: Decodable {
    var mean, median, p75, p95: Double?

    func callAsFunction(_ figure: ErrorFigure) -> Double? {
      switch figure {
      case .mean: mean
      case .median: median
      case .p75: p75
      case .p95: p95
      }
    }
  }

  struct Trace: Decodable {
    var name: String
    var epochs: Int?
    var errors: Errors?

    enum CodingKeys: String, CodingKey {
      case name, epochs
      case errors = "error_m"
    }
  }

  struct Algorithm: Decodable {
    var name: String
    var errors: Errors?
    var traces: [Trace]

    enum CodingKeys: String, CodingKey {
      case name, traces
      case errors = "error_m"
    }
  }

  var algorithms: [Algorithm]
  /// The settings of epochs, without those that an earlier version did not write.
  var questions: [EarlierEvaluation.Setting]
  var knowledge: [EarlierEvaluation.Setting]

  enum CodingKeys: String, CodingKey {
    case epoch, window, levels, dimensions, height, algorithms
    case truthAt = "truth_at"
    case clockOffset = "clock_offset"
    case crossValidation = "cross_validation"
    case isCrossValidated = "cross_validated"
    case isInSample = "in_sample"
    case block = "interval_block_s"
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    algorithms = try values.decode([Algorithm].self, forKey: .algorithms)
    let truthAt = try values.decode(String.self, forKey: .truthAt)
    /// Returns nil without the key.
    func text(_ key: CodingKeys, null: String) throws -> String? {
      values.contains(key) ? try values.decodeIfPresent(String.self, forKey: key) ?? null : nil
    }
    func flag(_ key: CodingKeys) throws -> Bool? {
      try values.decodeIfPresent(Bool.self, forKey: key)
    }
    typealias Settings = EvaluationSettings
    let block = try values.decodeIfPresent(Double.self, forKey: .block)
    let isCrossValidated = try flag(.isCrossValidated)
    let settings: [(String, String?)] = [
      ("epoch", try values.decode(String.self, forKey: .epoch)),
      ("window", try text(.window, null: Settings.sameAsEpoch)),
      ("truthAt", truthAt == "stop" ? nil : truthAt),
      ("clockOffset", try text(.clockOffset, null: "0s")),
      (
        "crossValidate",
        try text(.crossValidation, null: Settings.notGiven)
          ?? (isCrossValidated == false ? Settings.notGiven : nil)
      ),
      ("inSample", try flag(.isInSample).map { $0 ? Settings.given : Settings.notGiven }),
      (
        "intervalBlocks",
        values.contains(.block)
          ? block.map { written(duration: Int64(($0 * 1e9).rounded())) } ?? Settings.notGiven : nil
      ),
    ]
    questions = settings.compactMap { name, value in value.map { (name, $0) } }
    knowledge = [
      ("levels", try values.decode(String.self, forKey: .levels)),
      ("dimensions", try values.decode(String.self, forKey: .dimensions)),
    ]
    if let height = try text(.height, null: "estimated") { knowledge.append(("height", height)) }
  }
}

extension EarlierEvaluation {
  private static let mostBytes = 1 << 28

  /// Reads an evaluation that was written as one JSON document.
  ///
  /// - Parameter figure: the error to compare.
  /// - Throws: `RSSIError` for a file that cannot be read, or is another document.
  package init(path: String, figure: ErrorFigure) throws {
    let bytes = try contents(ofFile: path, atMost: Self.mostBytes)
    guard let document = try? EarlierDocument(json: bytes) else {
      throw RSSIError(
        .badInput, "this is not an evaluation as JSON", in: path,
        advice: "write one with `rssi eval` as a report that ends in .json")
    }
    self.init(
      name: path,
      algorithms: document.algorithms.map { one in
        Algorithm(
          name: one.name, error: one.errors?(figure),
          errorsOfTraces: Dictionary(
            one.traces.compactMap { trace in trace.errors?(figure).map { (trace.name, $0) } }
          ) { first, _ in first })
      },
      epochsOfTraces: Dictionary(
        document.algorithms.flatMap(\.traces).compactMap { trace in
          trace.epochs.map { (trace.name, $0) }
        }
      ) { first, _ in first },
      questions: document.questions, knowledge: document.knowledge)
  }
}
