package import Advertising
public import Recordings
public import Registries
package import Sightings

/// An import: the recordings and tables to convert, and the trace to write.
public struct ImportRequest: Sendable {
  /// Recordings and tables; - is NDJSON on the standard input.
  public var files: [String]
  /// The trace to write.
  public var output: String
  /// CSV table of beacons and receivers with the positions of the fixed ones.
  public var nodes: String?
  /// CSV tables of positions of moving nodes, or of true levels of links.
  public var truth: [String]
  /// Name of the receiver in recordings, and in tables that name none; nil names adapters,
  /// `sniffer`, or `receiver`.
  public var receiver: String?
  /// Names of the receivers of single recordings, by the path in `files`; others have `receiver`.
  public var receivers: [String: String] = [:]
  /// Name of the one trace that all inputs become, in order of time; nil = one trace per input,
  /// named after its file.
  public var trace: String?
  /// The distance of every beacon of the recordings from the receiver, in metres, and the
  /// orientation of the device; nil = not known.
  public var standing: (distance: Double, pose: String)?
  /// A Boolean value that is true to keep packets that a sniffer received with a wrong checksum.
  public var keepsWrongChecksums: Bool
  /// The columns of tables of sightings.
  public var columns = ColumnMap()
  /// The columns of the table of nodes.
  public var nodeColumns = ColumnMap(kind: .nodes)
  /// The columns of tables of truth.
  public var truthColumns = ColumnMap(kind: .truth)
  /// The span of time to take from each recording; its names are not used.
  public var selection = SightingSelection()
  /// Names, positions and measured powers of beacons.
  public var registry: Registry?
  /// The file of the registry, for the provenance.
  public var registryPath: String?

  /// Creates a request to import files.
  public init(
    files: [String], output: String, nodes: String? = nil, truth: [String] = [],
    receiver: String? = nil, keepsWrongChecksums: Bool = false
  ) {
    (self.files, self.output, self.nodes, self.truth) = (files, output, nodes, truth)
    (self.receiver, self.keepsWrongChecksums) = (receiver, keepsWrongChecksums)
  }
}

/// The figures of an import.
public struct ImportResult {
  package var figures: SightingFigures
  package var packets: PacketFigures
}
