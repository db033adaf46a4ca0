import Support
import TestSupport
import Testing

@testable import Sightings

@Suite struct TextLimitTests {
  /// Texts of every kind of scalar, some of them far too long.
  private func text(_ generator: inout SeededGenerator) -> String {
    var text = ""
    let pieces = [
      "a", "é", "€", "\u{1F4E1}", "\0", "\u{1B}[31m", "\u{202E}", "e\u{301}\u{301}", "\u{1F1E9}",
      "\u{9B}",
    ]
    for _ in 0..<Int.random(in: 0...400, using: &generator) {
      text += pieces.randomElement(using: &generator)!
    }
    return text
  }

  @Test func `a fitted text fits and begins as the whole one`() {
    var generator = SeededGenerator(seed: 37)
    for _ in 0..<2000 {
      let limit = TextLimit.words([16, 32, 64, 128, 256].randomElement(using: &generator)!)
      let whole = text(&generator)
      let fitted = limit.fitted(whole)
      #expect(limit.admits(fitted) && limit.admits(Array(fitted.utf8).span))
      if limit.admits(whole) { #expect(fitted == whole) }
      if whole.utf8.count > limit.bytes {
        #expect(fitted.hasSuffix("…") && fitted.utf8.count > limit.bytes - 7)
      }
      let kept = fitted.unicodeScalars.prefix { $0 != "…" && $0 != "\u{FFFD}" }
      #expect(whole.unicodeScalars.starts(with: kept))
    }
  }

  @Test func `a text of a megabyte is cut in its first bytes`() {
    let limit = TextLimit.adapter
    for piece in ["a", "\u{301}", "\u{1F1E9}", "\0"] {
      let fitted = limit.fitted(String(repeating: piece, count: 1 << 20))
      #expect(limit.admits(fitted) && fitted.utf8.count > limit.bytes - 7)
    }
  }

  @Test(
    arguments: [
      ([], true), ([0x61], true), ([0], false), ([0x61, 0], false), ([0xFF], false),
      ([0xED, 0xA0, 0x80], false), ([0x1B, 0x5B], true),
      ([UInt8](repeating: 0x61, count: 128), true), ([UInt8](repeating: 0x61, count: 129), false),
      (Array(String(repeating: "é", count: 64).utf8), true),
      (Array(String(repeating: "é", count: 65).utf8), false),
    ] as [([UInt8], Bool)])
  func `an identity is text of so many bytes`(_ bytes: [UInt8], _ isAdmitted: Bool) {
    #expect(TextLimit.name.admits(bytes.span) == isAdmitted)
  }

  /// Whatever sets them, what a trace keeps of a radio and of a node's name fits.
  @Test func `texts for people fit where they are set`() {
    var radio = Radio()
    let long = String(repeating: "x", count: 1000)
    (radio.adapter, radio.controller) = (long, long)
    (radio.scan, radio.phys) = (long, long + "\0")
    var node = Node(id: "a", kind: "other")
    node.name = "\0" + long
    #expect(radio.adapter.utf8.count == 256 && radio.controller.utf8.count == 128)
    #expect(radio.scan.utf8.count == 16 && radio.phys.utf8.count == 32)
    #expect(node.name.utf8.count == 128 && node.name.hasPrefix("\u{FFFD}x"))
  }

  @Test func `no identity that does not fit gets into the tables`() throws {
    for bad in [String(repeating: "x", count: 161), "a\0b"] {
      var builder = TraceBuilder(into: BlockCollector())
      let bytes = Array(bad.utf8)
      #expect(throws: RSSIError.self) {
        try builder.receive(
          beacon: bad, measuredPower: .nan, adapter: 0, time: 0, rssi: -60, channel: 255)
      }
      #expect(throws: RSSIError.self) { _ = try builder.receiver(bytes.span) }
      #expect(throws: RSSIError.self) { _ = try builder.trace(named: bad) }
      #expect(throws: RSSIError.self) { _ = try builder.add(bad, role: .receiver) }
      #expect(builder.catalogue.traces.isEmpty && builder.waitingRows == 0)
    }
  }

  /// Who reads a trace has all gaps in memory: a stranger's messages cannot make it unreadable.
  @Test func `gaps beyond the most are counted`() throws {
    var builder = TraceBuilder(into: BlockCollector())
    for time in 0..<Int64(Gap.most + 3) {
      builder.append(Gap(start: time, end: time, receiver: 0, reason: .silence, dropped: 0))
    }
    #expect(builder.catalogue.gaps.count == Gap.most)
    #expect(builder.refusals == [Rejected(reason: "too-many-gaps", count: 3)])
  }
}
