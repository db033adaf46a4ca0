import TestSupport
import Testing

/// Returns the requested fields of each packet that passes a filter of tshark, empty if a packet
/// has none.
func tsharkFields(_ path: String, _ filter: String, _ fields: String...) throws -> [[String]] {
  let result = try runProgram(
    "/usr/bin/tshark", ["-r", path, "-Y", filter, "-T", "fields"] + fields.flatMap { ["-e", $0] })
  try #require(result.exitCode == 0, "\(result.error)")
  return result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
    $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
  }
}
