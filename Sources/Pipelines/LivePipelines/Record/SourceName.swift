public import Capture
import Glibc
package import Sightings
public import Support
import TracePipelines
import TraceStore

/// A source as users write it and as traces name the adapter of a receiver.
public struct SourceName: Equatable, Sendable, CustomStringConvertible {
  let kind: SourceKind
  /// The address after the prefix of its kind.
  let address: String
  /// The source as users write it.
  public let description: String

  /// - Parameter prefix: the prefix of the kind in the name; nil = the first one.
  init(_ kind: SourceKind, _ address: String, prefix: String? = nil) {
    (self.kind, self.address) = (kind, address)
    description = (prefix ?? kind.prefixes[0]) + address
  }

  /// Creates a source from its name as users write it.
  ///
  /// - Parameter mayBeFile: True if the name of a file is valid in its place, for the message.
  /// - Throws: `RSSIError` of kind `usage` for text of any other form.
  public init(_ text: String, mayBeFile: Bool = false) throws(RSSIError) {
    for kind in SourceKind.all {
      for prefix in kind.prefixes where text.hasPrefix(prefix) {
        guard let address = kind.address(text.dropFirst(prefix.count)) else { continue }
        self.init(kind, address, prefix: prefix)
        return
      }
    }
    guard access(text, F_OK) != 0 else {
      throw RSSIError(
        .usage, "this is a file, not a source", in: text,
        advice: "replay it as replay:\(text), or convert a recording with `rssi import`")
    }
    throw RSSIError(
      .usage,
      "\"\(text)\" is \(mayBeFile ? "neither a file nor" : "not") a source\(Self.hint(text)): use "
        + SourceKind.names(of: SourceKind.all))
  }

  /// Returns a suggestion of the kind of source that a text resembles.
  private static func hint(_ text: String) -> String {
    let kind = String(text.prefix { $0 != ":" && !$0.isNumber })
    let kinds = SourceKind.all.flatMap(\.prefixes).map { String($0.prefix { $0 != ":" }) }
    return kinds.contains(kind) ? "" : didYouMean(kind, among: kinds)
  }

  /// Returns the source of an adapter; nil = the first one.
  public static func adapter(_ index: UInt16?) -> SourceName {
    SourceName(.adapter, index.map { "\($0)" } ?? "")
  }
  /// The Bluetooth monitor of the kernel.
  public static let monitor = SourceName(.monitor, "")
  /// Returns the source that replays a file or a folder of traces.
  public static func replay(_ file: String) -> SourceName { SourceName(.replay, file) }

  public static func == (one: SourceName, other: SourceName) -> Bool {
    one.description == other.description
  }

  /// The replayed recording, or folder of traces; nil for any other source.
  public var replayedFile: String? { isReplay ? address : nil }

  /// A Boolean value that is true if the source replays a recording.
  public var isReplay: Bool { kind.origin == .recording }

  /// A Boolean value that is true if its receivers are gateways, each at another place.
  public var isGateways: Bool { kind.origin == .gateways }

  /// The stem of a file in a folder.
  var fileStem: String { kind.stem(self) }

  /// Returns the files that are replayed one after the other: for a folder its traces.
  ///
  /// - Throws: `RSSIError` for a folder without a trace.
  public func replayedFiles() throws(RSSIError) -> [String] {
    try replayedFile.map { path throws(RSSIError) in try inputFiles([path]) } ?? []
  }

  /// Returns the files that the source reads.
  ///
  /// - Throws: `RSSIError` for a file that cannot be replayed.
  public func readFiles() throws -> [String] {
    let files = try replayedFiles()
    for file in files { _ = try InputKind(path: file) }
    return files
  }

  /// Returns the tables of a replayed trace, whose nodes may have places; empty for all other
  /// sources.
  ///
  /// - Throws: `RSSIError` for a file that cannot be replayed.
  package func recordedNodes() throws -> Catalogue {
    guard let file = try replayedFiles().first, case .trace = try InputKind(path: file) else {
      return Catalogue()
    }
    return try TraceReader(path: file).catalogue
  }
}

/// Returns the places in streams that traces have reached, looked up when no other program can add
/// to them.
package typealias StreamPositions =
  () throws -> [(stream: StreamIdentity, position: StreamPosition)]

/// A source to listen to, and its settings.
public struct SourceRequest: Sendable {
  /// The source to listen to.
  public var name: SourceName
  /// The settings of the scan.
  public var scanning = ScanSettings()
  /// The factor by which the replay is faster than the recording; infinite = as fast as possible.
  public var speed = 1.0
  /// The options of the connection to a broker.
  public var gateways = GatewayOptions()
  /// The first message of a stream that no trace contains; nil = the first in the stream, or later
  /// ones if no place is kept.
  public var since: StreamStart?

  /// Creates a request to listen to a source.
  public init(_ name: SourceName) { self.name = name }

  /// Listens until the sink wants no more, or until the source ends.
  ///
  /// - Parameters:
  ///   - clock: the clock by which a recording is replayed.
  ///   - positions: the places in streams that traces have reached; nil keeps none.
  package func listen<Sink: CaptureSink & ~Copyable>(
    into sink: inout Sink, clock: MachineClock, positions: StreamPositions? = nil
  ) throws {
    switch name.kind.opening {
    case .controller(let controller):
      var source = try controller(name).scanner(scanning)
      try source.run(into: &sink)
    case .source(let open):
      var source = try open(self, clock, positions)
      try source.run(into: &sink)
    }
  }
}
