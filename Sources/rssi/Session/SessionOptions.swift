import ArgumentParser
import LivePipelines
import Support

/// Which members take part in a session, how it begins and ends, and where its parts go.
struct SessionOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Part to write; a second one becomes NAME-2.h5.", valueName: "file"),
    completion: .file())
  var output: String

  @Option(
    help: ArgumentHelp(
      "Name of this member and its receiver (default: the host name).", valueName: "name"))
  var name: String?

  @Option(
    help: ArgumentHelp(
      "Start when this many members are ready, including this one; the leader's value applies.",
      valueName: "n"))
  var members = 2

  @Option(
    help: ArgumentHelp("Maximum number of members; the leader's value applies.", valueName: "n"))
  var maxMembers = 8

  @Option(
    help: ArgumentHelp(
      "Stop after this time, such as 10m (default: at `rssi session stop`). The leader's value ends the session; a shorter value of another member ends its own part.",
      valueName: "time"))
  var duration: String?

  @Flag(help: "Ctrl-C stops the session for all members instead of this one only.")
  var stopAll = false

  @Option(
    help: ArgumentHelp(
      "Collect the parts of all members at the end and merge them into this trace.",
      valueName: "file"), completion: .file())
  var merge: String?

  @Option(
    help: ArgumentHelp("Maximum total size of collected parts, such as 500MB.", valueName: "size"))
  var maxTransfer = "1GB"

  @Option(
    help: ArgumentHelp("Flush interval: a crash loses at most this much data.", valueName: "time"))
  var flush = "1s"

  @Flag(help: "Do not compress the part at the end (see `rssi pack`).")
  var noPack = false

  @OptionGroup var playback: PlaybackOptions

  /// - Parameter recording: what to record.
  func request(_ lobby: RendezvousRequest, _ recording: RecordRequest) throws -> SessionRequest {
    var recording = recording
    recording.flush = try time(flush, "--flush")
    recording.packs = !noPack
    let machine = String(hostName().prefix { $0 != "." })
    var request = SessionRequest(
      lobby: lobby, name: name ?? machine, recording: recording, output: output)
    (request.members, request.maxMembers) = (members, maxMembers)
    request.duration = try duration.map { try time($0, "--duration") }
    (request.stopAll, request.merge) = (stopAll, merge)
    guard let bytes = byteSize(maxTransfer) else {
      throw RSSIError(.usage, "--max-transfer \(maxTransfer) is not a size: write 500MB or 1GB")
    }
    request.maxTransfer = bytes
    try request.check()
    return request
  }
}
