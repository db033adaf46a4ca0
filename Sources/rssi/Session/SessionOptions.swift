import ArgumentParser
import Capture
import Foundation
import Glibc
import LivePipelines
import Support
import TraceStore

/// Who takes part in a session, how it begins and ends, and where it goes.
struct SessionOptions: ParsableArguments {
  @Option(name: .shortAndLong, help: "Part to write; a second one becomes NAME-2.h5.")
  var output: String

  @Option(help: "Name of this member and its receiver (default: the host name).")
  var name: String?

  @Option(
    help: "Start when this many members are ready, including this one; the leader's value applies.")
  var members = 2

  @Option(help: "Maximum number of members; the leader's value applies.")
  var maxMembers = 8

  @Option(
    help:
      "Stop after this time, such as 10m (default: at `rssi session stop`). The leader's value ends the session; a shorter value of another member ends its own part."
  )
  var duration: String?

  @Flag(help: "Ctrl-C stops the session for all members instead of this one only.")
  var stopAll = false

  @Option(help: "Collect the parts of all members at the end and merge them into this trace.")
  var merge: String?

  @Option(help: "Maximum total size of collected parts, such as 500MB.")
  var maxTransfer = "1GB"

  @Option(help: "Flush interval: a crash loses at most this much data.")
  var flush = "1s"

  @Flag(help: "Do not compress the part at the end (see `rssi pack`).")
  var noPack = false

  @OptionGroup var playback: PlaybackOptions

  func memberName() throws -> String {
    let given = name ?? String(ProcessInfo.processInfo.hostName.prefix { $0 != "." })
    try requireLobbyName(given, "member")
    return given
  }

  /// Checks the numbers and sets a capture's limits.
  ///
  /// - Returns: how long the session is to last, in nanoseconds.
  func check(_ plan: inout RecordRequest) throws -> Int64? {
    guard (1...256).contains(maxMembers), (1...maxMembers).contains(members) else {
      throw RSSIError(
        .usage,
        "--members \(members) and --max-members \(maxMembers) do not go together: write 1 to 256, "
          + "the first not above the second"
      )
    }
    if let merge {
      guard !PartFiles.isPart(merge, of: output) else {
        throw RSSIError(
          .usage, "--merge \(merge) is a name of this member's own parts: name another")
      }
      try requireNothing(at: merge, .usage)
    }
    plan.flush = try time(flush, "--flush")
    plan.packs = !noPack
    _ = try transferLimit()
    return try duration.map { try time($0, "--duration") }
  }

  /// Bytes.
  func transferLimit() throws -> UInt64 {
    guard let bytes = byteSize(maxTransfer) else {
      throw RSSIError(.usage, "--max-transfer \(maxTransfer) is not a size: write 500MB or 1GB")
    }
    return bytes
  }
}

/// Refuses to write a merged trace over anything.
func requireNothing(at path: String, _ kind: RSSIError.Kind) throws {
  guard access(path, F_OK) != 0 else {
    throw RSSIError(
      kind, "\(path) is there already, and no merged trace is written over it: name another")
  }
}
