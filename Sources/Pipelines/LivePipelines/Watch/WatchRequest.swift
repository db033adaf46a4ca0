package import Filtering
package import PathLoss
package import Proximity
package import Registries
package import Support
import TracePipelines

/// A watch: its regions, and what counts as a change.
package struct WatchRequest {
  /// The input to watch.
  package var input = WatchInput.standardInput
  /// The receiver of events and rangings; it is finished at the end.
  package var output: any WatchOutput = WatchOutputs([])
  package var regions = [Region(name: "all", pattern: nil)]
  /// The one beacon to search for, as the user named it; nil watches the regions.
  package var seek: String?
  package var settings = WatchSettings()
  /// Causal filters of the levels.
  package var filter: [FilterSpecification] = []
  /// The calibration that converts levels to distances, and the name of its file.
  package var calibration: (Calibration, path: String)?
  package var registry = Registry()
  /// The name of a live receiver, in place of the source's.
  package var receiver: String?

  /// Times between rangings.
  package static let periods = DurationRange(
    100_000_000...60 * DurationRange.second, such: "500ms or 1s")

  package init() {}

  /// - Throws: `RSSIError` for values that a watch cannot use.
  package func check() throws(RSSIError) {
    try Self.periods.require(settings.period, "`every`")
    let borders = settings.borders
    guard borders.immediate > 0, borders.immediate < borders.near, borders.near <= 1e4 else {
      throw RSSIError(
        .usage, "`zones`: write two distances in metres, the smaller first, as in 0.5,3")
    }
    guard (0...30).contains(settings.hysteresis) else {
      throw RSSIError(.usage, "`hysteresis` \(settings.hysteresis): write 0 to 30 dB")
    }
    if let late = filter.first(where: { !$0.kind.isCausal }) {
      throw RSSIError(
        .usage,
        "`filter` \(late.name) needs later levels, but a watch reports at once: choose a causal "
          + "one, such as kalman"
      )
    }
    if let (calibration, path) = calibration {
      try DistanceModels.requireDistances(of: calibration, path)
    }
  }
}

/// The origin of the sightings to watch.
package enum WatchInput {
  /// Recordings, tables and traces, which are read at once, one after the other.
  case files([String])
  /// A trace that a capture writes now.
  case followed(String)
  /// Lines of the standard input.
  case standardInput
  case source(SourceRequest)

  var isFiles: Bool {
    if case .files = self { true } else { false }
  }

  var isSource: Bool {
    if case .source = self { true } else { false }
  }
}
