import Crypto
import Foundation
import TraceStore

/// The provenance of a stage that reads these files; the standard input has no digest.
func provenance(of stage: String, inputs: [String]) throws -> Provenance {
  var entries: [Provenance.Input] = []
  for path in inputs where path != "-" { entries.append(try digest(path)) }
  return Provenance(
    stage: stage, toolVersion: toolVersion, commandLine: commandLine(), inputs: entries)
}

/// How the program was called, with the program's own folder left out.
func commandLine() -> String {
  (["rssi"] + CommandLine.arguments.dropFirst()).map { word in
    let isPlain = word.allSatisfy { $0.isLetter || $0.isNumber || "-_./:=,+@%".contains($0) }
    return isPlain && !word.isEmpty
      ? word : "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }.joined(separator: " ")
}

private func digest(_ path: String) throws -> Provenance.Input {
  guard let file = FileHandle(forReadingAtPath: path) else {
    throw Failure(Failure.noInput, "cannot open \(path): there is no such file or you may not read it")
  }
  var hash = SHA256()
  var bytes: UInt64 = 0
  while let block = try file.read(upToCount: 1 << 20), !block.isEmpty {
    hash.update(data: block)
    bytes += UInt64(block.count)
  }
  let text = hash.finalize().map { byte in
    let digits = String(byte, radix: 16)
    return digits.count == 1 ? "0" + digits : digits
  }.joined()
  return Provenance.Input(name: path, sha256: text, bytes: bytes)
}
