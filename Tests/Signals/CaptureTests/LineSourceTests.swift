import Advertising
import Foundation
import Sightings
import Support
import TestSupport
import Testing

@testable import Capture

@Suite("An anchor at a serial line or a socket") struct LineSourceTests {
  private let event = "+UUDF:CCF9578E0D8A,-42,20,0,-43,37,\"CCF9578E0D89\",\"\",15869,23\r\n"

  /// Takes one connection after another, writes what each is to get, and closes it; the last one
  /// stays open.
  private func serve(_ texts: [String], on listener: Int32) -> Thread {
    let thread = Thread {
      for (index, text) in texts.enumerated() {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        for part in text.utf8.chunks(of: 7) {
          _ = part.withUnsafeBytes {
            send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
          }
        }
        if index + 1 < texts.count { close(connection) }
      }
    }
    thread.start()
    return thread
  }

  @Test(.timeLimit(.minutes(1)))
  func `lines are read again where the stream ended`() throws {
    let (listener, port) = try listeningSocket()
    defer { close(listener) }
    let long = String(repeating: "x", count: 10_000)
    let thread = serve(
      [
        "OK\r\n\r\n" + event + "+UUDF:CCF9",
        event.replacing(",37,", with: ",39,") + long + "\n" + event,
      ],
      on: listener)
    var sink = RecordingSink { $0.named.count < 3 }
    var source = try LineSource(address: "tcp:127.0.0.1:\(port)")
    try source.run(into: &sink)
    #expect(sink.named.map(\.channel) == [37, 39, 37])
    #expect(sink.named.allSatisfy { $0.rssi == -42 && $0.time > 0 })
    #expect(sink.receivers.values.map(\.name) == ["CCF9578E0D89"])
    #expect(sink.losses.map(\.reason) == [.disconnected])
    // "OK", and the long line in three.
    #expect(sink.rejected == ["no-sighting": 4])
    #expect(sink.counts.sightings == 3 && sink.counts.packets == 7)
    _ = thread
  }

  @Test func `a missing line is named`() throws {
    let port = try reservedPort()
    for (address, words) in [
      ("tcp:127.0.0.1:\(port)", "tcp:127.0.0.1:\(port)"),
      ("/nowhere/ttyUSB0", "/nowhere/ttyUSB0"),
    ] {
      var sink = RecordingSink { _ in true }
      var source = try LineSource(address: address)
      let error = #expect(throws: RSSIError.self) { try source.run(into: &sink) }
      #expect(error?.kind == .unavailable && error?.description.contains(words) == true)
    }
    #expect(throws: RSSIError.self) { try LineSource(address: "ttyUSB0") }
  }

  @Test(.timeLimit(.minutes(1)))
  func `a serial line is read`() throws {
    // A pseudo-terminal is a serial line whose other end the test has.
    let board = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    defer { close(board) }
    var (locked, number): (Int32, Int32) = (0, 0)
    // TIOCSPTLCK and TIOCGPTN.
    try #require(ioctl(board, 0x4004_5431, &locked) == 0)
    try #require(ioctl(board, 0x8004_5430, &number) == 0)
    let path = "/dev/pts/\(number)"
    // Opening the line discards what came before.
    let text = Array(event.utf8)
    var sink = RecordingSink { sink in
      if sink.ticks < 5 { text.withUnsafeBytes { _ = write(board, $0.baseAddress, $0.count) } }
      return sink.named.isEmpty
    }
    var source = try LineSource(address: path)
    try source.run(into: &sink)
    #expect(sink.named.first?.channel == 37)
  }
}

extension Sequence<UInt8> {
  /// Parts of so many bytes, so that lines arrive in pieces.
  fileprivate func chunks(of size: Int) -> [[UInt8]] {
    let bytes = Array(self)
    return stride(from: 0, to: bytes.count, by: size).map {
      Array(bytes[$0..<Swift.min($0 + size, bytes.count)])
    }
  }
}
