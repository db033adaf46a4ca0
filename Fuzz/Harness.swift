import Capture
import Glibc
import Recordings
import Registries
import Sightings
import Support

/// A sink that checks what every block promises, and keeps nothing.
struct Discard: SightingSink {
  mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws {
    for row in 0..<rows.count {
      let rssi = rows.rssi[row]
      precondition(rssi.isNaN || (-127...20).contains(rssi), "a level that is none")
      precondition(rows.beacon[row] < catalogue.beacons.count, "a beacon that is none")
      precondition(rows.receiver[row] < catalogue.receivers.count, "a receiver that is none")
      precondition(rows.trace[row] < max(1, catalogue.traces.count), "a trace that is none")
    }
    precondition(payloads.lengths.reduce(0) { $0 + Int($1) } == payloads.bytes.count)
  }
}

/// The parts of an input, each behind a byte with its length; the last may be cut.
func pieces(of input: [UInt8]) -> [[UInt8]] {
  var pieces: [[UInt8]] = []
  var rest = input[...]
  while let length = rest.popFirst() {
    pieces.append(Array(rest.prefix(Int(length))))
    rest = rest.dropFirst(Int(length))
  }
  return pieces
}

/// The name of a file that holds the bytes.
func file(_ bytes: [UInt8]) -> String {
  ftruncate(descriptor, 0)
  pwrite(descriptor, bytes, bytes.count, 0)
  return path
}

/// Nameless, so that nothing is left behind.
private let descriptor = fileno(tmpfile())
private let path = "/proc/self/fd/\(descriptor)"

/// Runs what may refuse its input; an error without a sentence is a crash.
func may(_ body: () throws -> Void) {
  do {
    try body()
  } catch let error as RSSIError {
    precondition(!error.description.isEmpty)
  } catch {
    fatalError("an error of another kind: \(error)")
  }
}

/// Runs what counts malformed input and never refuses it.
func must(_ body: () throws -> Void) {
  do { try body() } catch { fatalError("refused: \(error)") }
}
