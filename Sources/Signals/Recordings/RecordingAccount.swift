import Sightings
import Support

/// The account of a recording beside its packets: files that were joined to it, bytes of no record,
/// packets that were cut when they were recorded, and steps of its clock.
package struct RecordingAccount: Sendable {
  /// The recordings that the file holds, one after the other.
  package private(set) var recordings = 1
  /// Bytes that belong to no record, or to one that is cut or damaged.
  package private(set) var unreadBytes = 0
  private var firstUnread: Int?
  private var unreadPlaces = 0
  /// Packets of which only the first bytes were recorded, and how many those are at most.
  package private(set) var cutPackets = 0
  private var cutLength = 0
  var clock = RecordedClock()
  private(set) var steps: [ClockStep] = []

  /// Counts bytes between two places in the file as not read.
  mutating func skip(from start: Int, to end: Int) {
    guard end > start else { return }
    unreadBytes += end - start
    unreadPlaces += 1
    firstUnread = firstUnread ?? start
  }

  /// Begins with the next recording in the file.
  mutating func beginRecording() {
    recordings += 1
    clock.beginRecording()
  }

  /// Counts a packet of which only so many bytes were recorded.
  mutating func noteCut(to length: Int) {
    cutPackets += 1
    cutLength = max(cutLength, length)
  }

  /// Ends the recording and hands on the steps of its clock.
  mutating func finish<Sink: RecordingSink & ~Copyable>(into sink: inout Sink) throws {
    steps += clock.takeSteps()
    for step in steps { try sink.lost(step.loss) }
  }

  /// The sentences for a person who reads the file.
  package func sentences(of path: String) -> [String] {
    var sentences: [String] = []
    if recordings > 1 {
      sentences.append(
        "\(path) holds \(recordings) recordings, one after the other: all of them are read")
    }
    if let firstUnread {
      sentences.append(
        "warning: \(path): \(counted(unreadBytes, "byte")) \(unreadBytes == 1 ? "was" : "were") not read, "
          + (unreadPlaces == 1 ? "from" : "in \(unreadPlaces) places, the first at")
          + " byte \(firstUnread)\(unreadPlaces == 1 ? " on" : ""): they hold no whole record")
    }
    sentences += ClockStep.sentences(steps).map { "warning: \(path): \($0)" }
    return sentences
  }

  /// The advice on packets that were cut; nil where none was.
  package var adviceOnCuts: String? {
    guard cutPackets > 0 else { return nil }
    return
      "its packets are cut at \(counted(cutLength, "byte")): record whole packets (snap length)"
  }
}
