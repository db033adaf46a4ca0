import Foundation
import TestSupport
import Testing

/// What tshark says of each packet: the fields asked for, empty where a packet has none.
func tshark(_ path: String, _ fields: [String], filter: String = "") throws -> [[String]] {
  let output = try runProgram(
    tsharkPath,
    ["-r", path, "-Y", filter, "-T", "fields"] + fields.flatMap { ["-e", $0] })
  try #require(output.exitCode == 0, "\(output.error)")
  return output.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
    $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
  }
}

/// A time that tshark prints as seconds with nine digits, in nanoseconds.
func nanoseconds(_ seconds: String) throws -> Int64 {
  let parts = seconds.split(separator: ".")
  try #require(parts.count == 2 && parts[1].count == 9)
  return try #require(Int64(parts[0] + parts[1]))
}
