import Advertising
import ArgumentParser
import Registries
import Support
import TracePipelines

/// The span of time to read of the inputs.
struct TimeSpanOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Select sightings from this time on: 2026-01-31T12:00:00Z, Unix seconds, or +30s after the first sighting of each trace.",
      valueName: "time"))
  var from: String?

  @Option(
    help: ArgumentHelp("Select sightings before this time, written as --from.", valueName: "time"))
  var to: String?

  /// The sightings of the span.
  func selection() throws -> SightingSelection {
    var selection = SightingSelection()
    selection.from = try from.map { try bound($0, "--from") }
    selection.to = try to.map { try bound($0, "--to") }
    let isEmpty =
      switch (selection.from, selection.to) {
      case (.instant(let first), .instant(let end)), (.offset(let first), .offset(let end)):
        first >= end
      default: false
      }
    guard !isEmpty else {
      throw RSSIError(.usage, "--from \(from ?? "") is not before --to \(to ?? "")")
    }
    return selection
  }

  private func bound(_ text: String, _ option: String) throws -> TimeBound {
    guard let bound = TimeBound(text) else {
      throw RSSIError(
        .usage,
        "\(option) \"\(text)\" is not a time: write 2026-01-31T12:00:00Z (UTC), Unix seconds, or an "
          + "offset such as +30s")
    }
    return bound
  }
}

/// The sightings to read.
struct SightingSelectionOptions: ParsableArguments {
  @OptionGroup var span: TimeSpanOptions

  @Option(help: ArgumentHelp("Select this trace; repeatable.", valueName: "name"))
  var trace: [String] = []

  @Option(
    help: ArgumentHelp(
      "Select this beacon: UUID[:MAJOR[:MINOR]], an identity, an address, or a name in the registry or the trace; repeatable.",
      valueName: "beacon"))
  var beacon: [String] = []

  @Option(help: ArgumentHelp("Select this receiver; repeatable.", valueName: "name"))
  var receiver: [String] = []

  @Option(
    help: ArgumentHelp(
      "Select beacons of this kind: ibeacon, altbeacon, eddystone-uid, …, other; repeatable.",
      valueName: "kind"))
  var kind: [String] = []

  /// The options, and whether they were given.
  var given: [(name: String, isGiven: Bool)] {
    [
      ("--from", span.from != nil), ("--to", span.to != nil), ("--trace", !trace.isEmpty),
      ("--beacon", !beacon.isEmpty), ("--receiver", !receiver.isEmpty), ("--kind", !kind.isEmpty),
    ]
  }

  /// - Parameters:
  ///   - registry: gives the names that `--beacon` may use.
  ///   - inputs: give the names of their traces, too.
  func selection(_ registry: Registry, in inputs: [String]) throws -> SightingSelection {
    var selection = try span.selection()
    if !beacon.isEmpty { try registry.learnNames(from: inputs) }
    selection.traces = trace
    selection.beacons = try beacon.map { try BeaconChoice($0, in: registry) }
    selection.receivers = receiver
    selection.kinds = try beaconKinds(kind)
    return selection
  }
}

/// The kinds of beacons that an option names.
func beaconKinds(_ names: [String]) throws -> Set<BeaconKind> {
  Set(
    try names.map { name in
      guard let kind = BeaconKind(rawValue: name) else {
        throw RSSIError(
          .usage,
          "\"\(name)\" is not a kind: choose from "
            + BeaconKind.allCases.map(\.rawValue).joined(separator: ", "))
      }
      return kind
    })
}
