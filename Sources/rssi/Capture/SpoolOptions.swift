import ArgumentParser
import Glibc
import LivePipelines
import Support

/// How a capture keeps what a NATS server has not acknowledged yet.
struct SpoolOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "-o nats: folder that keeps messages until the server acknowledges them (default: in $STATE_DIRECTORY, $XDG_STATE_HOME/rssi or ~/.local/state/rssi).",
      valueName: "folder"), completion: .directory)
  var spool: String?

  @Option(
    help: ArgumentHelp(
      "-o nats: maximum size of the spool; beyond it the oldest messages are given up and counted.",
      valueName: "size"))
  var spoolLimit = "1GB"

  func set(_ request: inout RecordRequest) throws {
    guard let output = request.output, request.isPublished else {
      guard spool == nil else {
        throw RSSIError(.usage, "--spool is for an output such as -o nats://broker/rssi.hall-1")
      }
      return
    }
    guard let limit = byteSize(spoolLimit) else {
      throw RSSIError(
        .usage, "--spool-limit \"\(spoolLimit)\" is not a size: write 500MB, 1GB or 4GiB")
    }
    request.spoolLimit = limit
    request.spool = try spool ?? Self.place(output)
  }

  /// The folder of a subject in that of the service, or of the user (XDG Base Directory
  /// Specification).
  private static func place(_ output: String) throws -> String {
    let name = output.split(separator: "://").last?.split(separator: "@").last ?? ""
    let folders = [
      variable("STATE_DIRECTORY"), variable("XDG_STATE_HOME").map { $0 + "/rssi" },
      variable("HOME").map { $0 + "/.local/state/rssi" },
    ]
    guard let folder = folders.compactMap(\.self).first else {
      throw RSSIError(.usage, "there is no folder for the spool (HOME): name one with --spool")
    }
    let safe = name.map {
      $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) ? $0 : "-"
    }
    return "\(folder)/spool/\(String(safe))"
  }

  /// A relative folder is to be passed over.
  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}
