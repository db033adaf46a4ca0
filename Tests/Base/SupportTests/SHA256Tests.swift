import Foundation
import TestSupport
import Testing

@testable import Support

@Suite("SHA-256") struct SHA256Tests {
  /// The examples that NIST gives for FIPS 180-4, and the empty message.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
        + "lmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
  ])
  func `is that of the standard`(message: String, digest: String) {
    #expect(sha256(Array(message.utf8).span) == digest)
  }

  @Test func `a million letters in parts are as in the standard`() {
    let letters = [UInt8](repeating: UInt8(ascii: "a"), count: 977)
    var hash = SHA256()
    var left = 1_000_000
    while left > 0 {
      hash.update(letters.span.extracting(first: min(left, letters.count)))
      left -= letters.count
    }
    #expect(
      hash.hexadecimalDigest()
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test func `is that of another program`() throws {
    let folder = try TemporaryDirectory()
    var random = SeededGenerator(seed: 7)
    for length in [1, 55, 56, 63, 64, 65, 4096, 300_001] {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      let path = folder.path("\(length)")
      try Data(bytes).write(to: URL(filePath: path))
      let other = try runProgram("/usr/bin/env", ["sha256sum", path])
      #expect(other.output.split(separator: " ").first.map(String.init) == sha256(bytes.span))
    }
  }
}
