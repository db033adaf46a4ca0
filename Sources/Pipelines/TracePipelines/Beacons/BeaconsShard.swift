import Advertising
package import Support
package import TraceStore

/// What was received of each device in some of the files; the parts of all files merge into the
/// list of devices of one process.
package struct BeaconsShard {
  /// Which names sightings were selected by.
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
  /// - Throws: `RSSIError` for an input that cannot be read or that is there twice.
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
        beacons: selection.beacons.map(\.text), receivers: selection.receivers,
        kinds: selection.kinds.map(\.rawValue).sorted()))
  }

  /// - Throws: `RSSIError` for what is not a whole part, and for parts that do not go together.
  package init(merging paths: [String]) throws {
    part = try FileShard(merging: paths, of: .beacons) { part in
      // A billion sightings a line, and no more lines than such a file holds.
      part.pieces.allSatisfy(\.isSound) && part.pieces.count < 1 << 24
        && part.head.settings.kinds.allSatisfy { BeaconKind(rawValue: $0) != nil }
    }
  }

  package func write(to path: String) throws -> WrittenShard {
    try part.write(to: path, of: .beacons)
  }

  /// The devices of all parts.
  ///
  /// - Parameter request: gives names, the order, and what names of beacons mean.
  /// - Throws: `RSSIError` where nothing has all that was selected.
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
