import Advertising
import Recordings
import Sightings

/// Reads a text of another program, after a byte that selects its format, as one that is recognised
/// or not: each line has one outcome.
func readLog(_ input: [UInt8], _ formats: [LogFormat]) {
  guard let choice = input.first else { return }
  let text = Array(input.dropFirst())
  _ = LogFormat(text)
  may {
    var builder = TraceBuilder(into: Discard(), blockRows: 16)
    let counts = try LogReader.read(
      file(text), formats[Int(choice) % formats.count], into: &builder)
    _ = try builder.complete()
    // Brackets of JSON are on lines of their own or not.
    precondition(counts.packets <= text.count, "a line has several outcomes")
    precondition(
      counts.packetsWithReports <= counts.reports + counts.rejectedPackets,
      "a packet with reports has none")
  }
}
