package import Evaluation
import Support

/// What of the document of ``EvaluationJSON`` is compared.
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
    var errors: Errors?

    enum CodingKeys: String, CodingKey {
      case name
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

  var epoch, levels, truthAt, dimensions: String
  var algorithms: [Algorithm]

  enum CodingKeys: String, CodingKey {
    case epoch, levels, dimensions, algorithms
    case truthAt = "truth_at"
  }
}

extension EarlierEvaluation {
  private static let mostBytes = 1 << 28

  /// Reads an evaluation that was written as one JSON document.
  ///
  /// - Parameter figure: what is compared.
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
      settings: [
        ("epoch", document.epoch), ("levels", document.levels), ("truth at", document.truthAt),
        ("dimensions", document.dimensions),
      ])
  }
}
