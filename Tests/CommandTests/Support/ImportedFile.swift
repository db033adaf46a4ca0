import Foundation
import TestSupport
import Testing

/// A file as `rssi import` reads it: the counts of its packets, and the rows of its trace.
struct ImportedFile {
  let counts: [String: Any]
  /// The header and the rows in CSV.
  let rows: [[String]]
  /// The messages on standard error.
  let notes: String

  init(_ path: String, export: String = "csv", options: [String] = []) throws {
    let folder = try TemporaryDirectory()
    let trace = folder.path("t.h5")
    let arguments = ["import", path, "--trace", "t", "-o", trace, "--json"] + options
    let result = try runProgram(builtProgram, arguments)
    try #require(result.exitCode == 0, "\(result.error)")
    (counts, notes) = (try json(result.output), result.error)
    rows = try rssi("export", trace, "--format", export).output.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  init(
    text: String, name: String = "text.log", export: String = "csv", options: [String] = []
  ) throws {
    let folder = try TemporaryDirectory()
    try text.write(toFile: folder.path(name), atomically: true, encoding: .utf8)
    try self.init(folder.path(name), export: export, options: options)
  }

  func number(_ key: String) -> Int { counts[key] as? Int ?? -1 }
  var others: [String: Int] { counts["other_events"] as? [String: Int] ?? [:] }
  var rejected: [String: Int] { counts["rejected"] as? [String: Int] ?? [:] }

  /// A Boolean value that is true if every packet has one outcome.
  var isAccountedFor: Bool {
    number("packets")
      == number("packets_with_reports") + others.values.reduce(0, +) + number("rejected_packets")
  }

  /// The rows without the header and the name of the trace, up to the channel.
  var sightings: [String] { rows.dropFirst().map { $0[1...5].joined(separator: " ") } }
}
