import ArgumentParser
import LivePipelines
import Support

/// The duration of a stage that listens.
struct DurationOption: ParsableArguments {
  @Option(help: ArgumentHelp("Stop after this time, such as 30s, 10m, 8h.", valueName: "time"))
  var duration: String?

  func parsed() throws -> Duration? { try duration.map { try time($0, "--duration") } }

  /// Refuses the option.
  ///
  /// - Parameter reason: the reason for the message.
  /// - Throws: `RSSIError` if one was given.
  func refuse(_ reason: String) throws {
    if duration != nil { throw RSSIError(.usage, "--duration: \(reason)") }
  }
}

/// The limits of a capture and of each file.
struct LimitOptions: ParsableArguments {
  @OptionGroup var ending: DurationOption

  @Option(help: ArgumentHelp("Stop after this many sightings.", valueName: "n"))
  var count: Int?

  @Option(
    help: ArgumentHelp(
      "Start a new file after this time or size, such as 1h or 1GB; file names include the start time.",
      valueName: "time|size"))
  var rotate: String?

  @Option(
    help: ArgumentHelp("Flush interval: a crash loses at most this much data.", valueName: "time"))
  var flush = "1s"

  @Flag(help: "Do not compress the trace at the end (see `rssi pack`).")
  var noPack = false

  func set(_ request: inout CaptureRequest) throws {
    request.duration = try ending.parsed()
    request.flush = try time(flush, "--flush")
    request.count = count
    request.packs = !noPack
    request.packer = .thisProgram
    request.rotate = try rotate.map { try rotation($0) }
  }

  /// Reads a time such as `1h` or `1d`, or a size such as `1GB`, `500MB`.
  private func rotation(_ text: String) throws -> FileRotation {
    if let size = byteSize(text) { return FileRotation(bytes: size) }
    if let time = try? DurationRange.any.duration(text, "--rotate") {
      return FileRotation(period: time)
    }
    throw RSSIError(
      .usage,
      "\"\(text)\" is neither a time \(DurationRange.any) nor a size: write 1h, 30m, 1GB or 500MB")
  }
}
