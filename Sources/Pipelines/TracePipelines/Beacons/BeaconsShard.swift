import Advertising
package import Support
package import TraceStore

/// The devices that were received in some of the files; the parts of all files merge into the list
/// that one process makes.
package struct BeaconsShard {
  /// The names by which sightings were selected.
  private struct Settings: Codable, Equatable {
    var isEverything: Bool
    var traces: [String]
    var beacons: [String]
    var receivers: [String]
    var kinds: [String]
  }

  /// A device, or the names that were heard.
  private struct Piece: Codable {
    var device: DeviceFigures?
    var names: HeardNames?

    var isSound: Bool { device?.isSound ?? true && names?.isSound ?? true }
  }

  private let part: FileShard<Settings, Piece>

  /// Reads the files of a share, or all of the request.
  ///
  /// - Throws: `RSSIError` for an input that cannot be read or that is given twice.
  package init(
    _ request: BeaconsRequest, share: FileShare?, by tool: ToolIdentity, log: any ActivityLog
  ) throws {
    var own = request
    own.inputs = try share?.files(of: request.inputs) ?? request.inputs
    let selection = request.selection
    let origin = try ShardManifest(files: own.inputs, share: share, of: request.inputs, by: tool)
    let tally = try own.tally(log: log)
    part = FileShard(
      tally.devices.values.sorted { $0.id < $1.id }.map { Piece(device: $0) }
        + [Piece(names: tally.names)], of: origin,
      settings: Settings(
        isEverything: selection.isEverything, traces: selection.traces,
        beacons: selection.beacons.flatMap(\.texts), receivers: selection.receivers,
        kinds: selection.kinds.map(\.rawValue).sorted()))
  }

  /// - Throws: `RSSIError` for a file that is not a whole part, and for parts of different runs.
  package init(merging paths: [String]) throws {
    part = try FileShard(merging: paths, of: .beacons) { part in
      // A billion sightings per line, and no more lines than such a file has.
      part.pieces.allSatisfy(\.isSound) && part.pieces.count < 1 << 24
        && part.head.settings.kinds.allSatisfy { BeaconKind(rawValue: $0) != nil }
    }
  }

  package func write(to path: String) throws -> WrittenShard {
    try part.write(to: path, of: .beacons)
  }

  /// Returns the devices of all parts.
  ///
  /// - Parameter request: the names, the order and the names of beacons.
  /// - Throws: `RSSIError` if no sighting meets the whole selection.
  package func devices(_ request: BeaconsRequest) throws -> HeardDevices {
    var tally = DeviceSummary()
    for piece in part.pieces {
      tally.merge(
        DeviceSummary([piece.device].compactMap(\.self), names: piece.names ?? HeardNames()))
    }
    let settings = part.head.settings
    if !settings.isEverything {
      var selection = SightingSelection()
      selection.traces = settings.traces
      selection.receivers = settings.receivers
      selection.beacons = try settings.beacons.map { try BeaconChoice($0, in: request.registry) }
      selection.kinds = Set(settings.kinds.compactMap(BeaconKind.init))
      try tally.names.require(selection)
    }
    return request.described(tally)
  }
}
