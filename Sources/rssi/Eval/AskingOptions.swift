import ArgumentParser
import Evaluation
import Filtering
import Geometry
import Positioning
import Support

/// Which positions are asked, when, and what is known of the site.
struct AskingOptions: ParsableArguments {
  @Option(help: "Use only this trace; repeatable.")
  var trace: [String] = []

  @Option(help: "Time between epochs; stay: one epoch per stop; place: one epoch per place.")
  var epoch = "2s"

  @Option(help: "Time window of levels for each epoch (default: the time between epochs).")
  var window: String?

  @Option(
    help:
      "Time of the truth in the window (default: middle for raw levels, end for filtered levels)."
  )
  var truthAt: TruthAt?

  @Option(
    help:
      "Filter whose levels to use; none for the raw levels (default: the trace's only filter, if any)."
  )
  var filtered: String?

  @Option(
    help:
      "Site file (TOML): walls, rooms, spots, and anchors whose positions are missing from the traces."
  )
  var site: String?

  @Option(
    parsing: .unconditional,
    help:
      "Search area XMIN,YMIN,XMAX,YMAX in metres (default: the site's rooms and walls, or the anchors with a margin)."
  )
  var bounds: BoundsArgument?

  @Option(
    help: "2: positions in the plane, with the target's height known; 3: positions and heights.")
  var dimensions = 2

  @Option(
    parsing: .unconditional,
    help:
      "Offset added to truth timestamps: a time such as 300ms or -1.5s, or estimate."
  )
  var clockOffset = "0s"

  enum TruthAt: String, ExpressibleByArgument, CaseIterable { case middle, end }

  /// - Throws: `RSSIError` for what is not written as it should be.
  func check() throws {
    _ = try EpochPlan(epoch: epoch, window: window)
    guard dimensions == 2 || dimensions == 3 else {
      throw RSSIError(.usage, "--dimensions \(dimensions): write 2 or 3")
    }
    guard clockOffset == "estimate" || signedDuration(clockOffset) != nil else {
      throw RSSIError(
        .usage,
        "--clock-offset \(clockOffset): write a time such as 300ms or -1.5s, or estimate")
    }
  }
}

/// A rectangle as four numbers with commas.
struct BoundsArgument: ExpressibleByArgument {
  let bounds: Bounds

  init?(argument: String) {
    let numbers = argument.split(separator: ",", omittingEmptySubsequences: false)
      .compactMap { Double($0) }
    guard numbers.count == 4, numbers.allSatisfy({ abs($0) <= 1e6 }), numbers[0] < numbers[2],
      numbers[1] < numbers[3]
    else { return nil }
    bounds = Bounds(
      minimum: Point(x: numbers[0], y: numbers[1]), maximum: Point(x: numbers[2], y: numbers[3]))
  }
}

/// Nanoseconds of a time that may be negative; nil where it is none.
func signedDuration(_ text: String) -> Int64? {
  text.hasPrefix("-") ? duration(String(text.dropFirst())).map { -$0 } : duration(text)
}
