import ArgumentParser
import Filtering
import Support

/// Options of the chain of filters.
struct FilterOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Filter; repeat the option for a chain. (default: kalman; of a stream multiple-model)",
      valueName: "filter"),
    completion: .list(FilterKind.all.map(\.name)))
  var filter: [String] = []

  @Option(
    help: ArgumentHelp(
      "Put sightings in time order that are behind their link's clock by up to this; twice the largest delay of times is enough (0 = none).",
      valueName: "time"))
  var reorder = "100ms"

  @Option(
    help: ArgumentHelp(
      "Calibration whose offsets of channels are subtracted first (fit --channel-offsets).",
      valueName: "file"),
    completion: .file())
  var calibration: String?

  @Option(
    help: ArgumentHelp(
      "Restart the filters of a link after this time without a level (default: never).",
      valueName: "time"))
  var resetAfter: String?

  func chain() throws -> [FilterSpecification] {
    try (filter.isEmpty ? ["kalman"] : filter).map { text throws(RSSIError) in
      try FilterSpecification(text)
    }
  }

  /// Nanoseconds.
  func reorderWindow() throws -> Int64 {
    try time(
      reorder, "--reorder", DurationRange(0...DurationRange.longest, such: "100ms, 1s or 0"))
  }

  /// Nanoseconds; nil = never.
  func longestGap() throws -> Int64? {
    try resetAfter.map { try time($0, "--reset-after") }
  }
}
