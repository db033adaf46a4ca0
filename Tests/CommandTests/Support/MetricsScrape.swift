import Foundation
import TestSupport
import Testing

/// The samples that a program serves at the address that it notes.
func scrapedMetrics(of program: RunningProgram) throws -> [String: Double] {
  let text = try httpResponse("/metrics", port: metricsPort(of: program)).body
  return Dictionary(
    text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
      line -> (String, Double)? in
      guard let space = line.lastIndex(of: " "),
        let value = Double(line[line.index(after: space)...])
      else { return nil }
      // Every sample has the labels of its stage and source first; a test knows these.
      let labels = line[..<space].replacing(#/stage="[^"]*",source="(?:[^"\\]|\\.)*",?/#, with: "")
      return (String(labels.replacing("{}", with: "")), value)
    }, uniquingKeysWith: { first, _ in first })
}

/// The port on which a program serves its metrics, once it notes that.
func metricsPort(of program: RunningProgram) throws -> Int {
  func port() -> Int? {
    program.error.firstMatch(of: #/metrics: http://127\.0\.0\.1:(\d+)/metrics/#)
      .flatMap { Int($0.1) }
  }
  try #require(program.waits { port() != nil }, "\(program.error)")
  return try #require(port())
}

/// The sightings of a recording, as an import counts them.
func importedSightings(_ path: String, in folder: TemporaryDirectory) throws -> Int {
  let trace = folder.path("imported.h5")
  let result = try rssi("import", path, "-o", trace)
  try #require(result.exitCode == 0, "\(result.error)")
  return try sightings(trace)
}

/// A recording whose last report is due a day after the others: a replay waits for it.
func heldRecording(of path: String, in folder: TemporaryDirectory) throws -> String {
  var bytes = try Data(contentsOf: URL(filePath: path))
  func number(at index: Int, _ size: Int) -> UInt64 {
    bytes[index..<index + size].reduce(0) { $0 << 8 | UInt64($1) }
  }
  // btsnoop: a header of 16 bytes, and for each packet 24 with its length and its time in µs.
  var (next, last) = (16, 16)
  while next < bytes.count {
    last = next
    next += 24 + Int(number(at: next + 4, 4))
  }
  var packet = Data(bytes[last...])
  let time = number(at: last + 16, 8) + 86_400_000_000
  for index in 0..<8 {
    packet[packet.startIndex + 16 + index] = UInt8(time >> (56 - 8 * index) & 255)
  }
  bytes.append(packet)
  let held = folder.url.appending(path: "held.btsnoop")
  try bytes.write(to: held)
  return held.path
}
