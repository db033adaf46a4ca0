/// Prometheus' text format, version 0.0.4: families of samples, each with its help and type.
struct PrometheusText {
  typealias Labels = [(name: String, value: String)]

  /// The type of a page in this format.
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  enum Kind: String { case counter, gauge, histogram }

  private(set) var text = ""
  /// What every sample has, before its own labels.
  private let common: Labels

  init(common: Labels) { self.common = common }

  /// Adds a family.
  ///
  /// - Parameter samples: what distinguishes each, and its value.
  mutating func add(
    _ name: String, _ kind: Kind, _ help: String, _ samples: [(labels: Labels, value: String)]
  ) {
    begin(name, kind, help)
    for sample in samples { append(name, common + sample.labels, sample.value) }
  }

  /// Adds a family of one sample.
  mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: String) {
    add(name, kind, help, [([], value)])
  }

  /// Adds a family of one sample that has no label but its own.
  mutating func add(
    _ name: String, _ kind: Kind, _ help: String, only labels: Labels, _ value: String
  ) {
    begin(name, kind, help)
    append(name, labels, value)
  }

  /// Adds a histogram.
  ///
  /// - Parameter buckets: the upper bound of each but the last, which has none, and how many
  ///   observations are not above it.
  mutating func addHistogram(
    _ name: String, _ help: String, buckets: [(bound: String, count: UInt64)], sum: String
  ) {
    begin(name, .histogram, help)
    for (bound, count) in buckets {
      append("\(name)_bucket", common + [("le", bound)], "\(count)")
    }
    append("\(name)_sum", common, sum)
    append("\(name)_count", common, "\(buckets.last?.count ?? 0)")
  }

  private mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
  }

  private mutating func append(_ name: String, _ labels: Labels, _ value: String) {
    text += name
    if !labels.isEmpty {
      let pairs = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }
      text += "{\(pairs.joined(separator: ","))}"
    }
    text += " \(value)\n"
  }

  /// A label's value with its backslashes, quotes and ends of lines escaped.
  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}
