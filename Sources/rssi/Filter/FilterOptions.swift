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
    guard let window = duration(reorder), window >= 0 else {
      throw RSSIError(.usage, "--reorder \(reorder): write a time such as 100ms or 1s, or 0")
    }
    return window
  }

  /// Nanoseconds; nil = never.
  func longestGap() throws -> Int64? {
    guard let resetAfter else { return nil }
    guard let gap = duration(resetAfter), gap > 0 else {
      throw RSSIError(
        .usage, "--reset-after \(resetAfter): write a time above 0 such as 30s or 10m")
    }
    return gap
  }
}
