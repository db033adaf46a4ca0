import Capture
import Glibc
import Recordings
import Registries
import Sightings
import Support

/// A sink that checks the guarantees of every block, and keeps nothing.
struct Discard: SightingSink {
  mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws {
    for row in 0..<rows.count {
      let rssi = rows.rssi[row]
      precondition(rssi.isNaN || (-127...20).contains(rssi), "an invalid level")
      precondition(rows.beacon[row] < catalogue.beacons.count, "an invalid beacon")
      precondition(rows.receiver[row] < catalogue.receivers.count, "an invalid receiver")
      precondition(rows.trace[row] < max(1, catalogue.traces.count), "an invalid trace")
    }
    precondition(payloads.lengths.reduce(0) { $0 + Int($1) } == payloads.bytes.count)
  }
}

/// Returns the parts of an input, each after a byte with its length; the last may be cut.
func pieces(of input: [UInt8]) -> [[UInt8]] {
  var pieces: [[UInt8]] = []
  var rest = input[...]
  while let length = rest.popFirst() {
    pieces.append(Array(rest.prefix(Int(length))))
    rest = rest.dropFirst(Int(length))
  }
  return pieces
}

/// Returns the name of a file with the bytes.
func file(_ bytes: [UInt8]) -> String {
  ftruncate(descriptor, 0)
  pwrite(descriptor, bytes, bytes.count, 0)
  return path
}

/// An unnamed file, so that none is left behind.
private let descriptor = fileno(tmpfile())
private let path = "/proc/self/fd/\(descriptor)"

/// Runs a body that may refuse its input; an error without a message is a crash.
func may(_ body: () throws -> Void) {
  do {
    try body()
  } catch let error as RSSIError {
    precondition(!error.description.isEmpty)
  } catch {
    fatalError("an error of another kind: \(error)")
  }
}

/// Runs a body that counts malformed input and never refuses it.
func must(_ body: () throws -> Void) {
  do { try body() } catch { fatalError("refused: \(error)") }
}
