import Recordings
import Sightings
import Support
import TestSupport

/// Keeps every block that a trace builder hands on.
struct RowCollector: SightingSink {
  var blocks: [SightingColumns] = []

  mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) { blocks.append(rows) }
}

/// What a reader made of a file.
struct Reading {
  let catalogue: Catalogue
  let blocks: [SightingColumns]

  /// Reads text with any reader.
  ///
  /// - Parameter body: gets the path of a file with the text.
  init(
    _ text: String, name: String = "walk-7.csv",
    _ body: (String, inout TraceBuilder<RowCollector>) throws -> Void
  ) throws {
    try self.init(Array(text.utf8), name: name, body)
  }

  init(
    _ bytes: [UInt8], name: String = "walk-7.csv",
    _ body: (String, inout TraceBuilder<RowCollector>) throws -> Void
  ) throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(bytes, to: name)
    var builder = TraceBuilder(into: RowCollector())
    try body(path, &builder)
    catalogue = try builder.complete()
    blocks = builder.takeSink().blocks
  }

  /// One column over all blocks.
  func all<Element>(_ column: (SightingColumns) -> [Element]) -> [Element] {
    blocks.flatMap(column)
  }

  /// How often rows were refused, by reason.
  var refused: [String: UInt64] {
    Dictionary(uniqueKeysWithValues: catalogue.rejected.map { ($0.reason, $0.count) })
  }

  /// The names that the rows' beacons have.
  var beacons: [String] { all(\.beacon).map { catalogue.beacons[Int($0)].id } }
  var receivers: [String] { all(\.receiver).map { catalogue.receivers[Int($0)].id } }
  var traces: [String] { all(\.trace).map { catalogue.traces[Int($0)] } }
}

/// Reads a table of sightings.
func readTable(_ text: String, name: String = "walk-7.csv") throws -> Reading {
  try Reading(text, name: name) { path, builder in
    _ = try SightingCSV.read(path, into: &builder)
  }
}

/// Reads a stream of sightings.
func readStream(_ text: String) throws -> Reading { try readStream(Array(text.utf8)) }

func readStream(_ bytes: [UInt8]) throws -> Reading {
  try Reading(bytes, name: "stream.ndjson") { path, builder in
    var stream = try SightingStream(path: path, trace: "fallback")
    while try stream.next(into: &builder) {}
  }
}

/// The problem that an error names; nil where there is no error.
func problem(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch let error as RSSIError where error.kind == .badInput {
    return error.problem
  } catch {
    return "\(error)"
  }
}
