import Sightings
import Support

/// Facts about a recording besides its packets: concatenated files, bytes outside records, packets
/// truncated at recording, and steps of its clock.
package struct RecordingAccount: Sendable {
  /// The number of concatenated recordings in the file.
  package private(set) var recordings = 1
  /// The number of bytes in no record, or in a truncated or damaged one.
  package private(set) var unreadBytes = 0
  private var firstUnread: Int?
  private var unreadPlaces = 0
  /// The number of packets that were recorded only in part, and the largest number of recorded
  /// bytes.
  package private(set) var cutPackets = 0
  private var cutLength = 0
  var clock = RecordedClock()
  private(set) var steps: [ClockStep] = []
  /// The note on the members of an archive that are read, and the damage of a packed file.
  private var (unpacking, damage): (String?, RSSIError?) = (nil, nil)

  package init() {}

  /// Counts the bytes between two offsets as not read.
  mutating func skip(from start: Int, to end: Int) {
    guard end > start else { return }
    unreadBytes += end - start
    unreadPlaces += 1
    firstUnread = firstUnread ?? start
  }

  /// Starts the next recording in the file.
  mutating func beginRecording() {
    recordings += 1
    clock.beginRecording()
  }

  /// Counts a packet of which only a number of bytes were recorded.
  mutating func noteCut(to length: Int) {
    cutPackets += 1
    cutLength = max(cutLength, length)
  }

  /// Ends the recording and passes on the steps of its clock.
  mutating func finish<Sink: RecordingSink & ~Copyable>(into sink: inout Sink) throws {
    steps += clock.takeSteps()
    for step in steps { try sink.lost(step.loss) }
  }

  /// Takes the notes of a file that was read to its end.
  mutating func end(_ file: borrowing FileBlocks) {
    (unpacking, damage) = (file.note, file.damage)
  }

  /// Returns sentences for users about the file.
  package func sentences(of path: String) -> [String] {
    var sentences: [String] = unpacking.map { [$0] } ?? []
    if let damage {
      sentences.append(
        "warning: \(path): \(damage.problem): what could be unpacked is imported")
    }
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

  /// The advice on truncated packets; `nil` if there are none.
  package var adviceOnCuts: String? {
    guard cutPackets > 0 else { return nil }
    return
      "its packets are cut at \(counted(cutLength, "byte")): record whole packets (snap length)"
  }
}
