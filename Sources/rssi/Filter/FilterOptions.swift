import ArgumentParser
import Filtering
import Support

/// Options of the chain of filters.
struct FilterOptions: ParsableArguments {
  @Option(name: .shortAndLong, help: "A filter; several make a chain. (default: kalman)")
  var filter: [String] = []

  @Option(help: "How late a sighting may come and still be put into its place (0 = not at all).")
  var reorder = "100ms"

  @Option(help: "Start a link's filters anew after so long without a level (default: never).")
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
