extension Unicode.Scalar {
  /// How many columns it takes on a terminal: 0 where it goes onto the character before it, 2 for
  /// wide ones (East Asian width W and F, UAX #11; emoji that are pictures by default are W).
  var columns: Int {
    guard value >= 0x300 else { return 1 }
    // Vowels and finals of Hangul written letter by letter join the initial before them.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FB).contains(value) { return 0 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: break
    }
    if isRegionalIndicator { return 1 }
    return properties.isEmojiPresentation || Self.wide.contains { $0.contains(value) } ? 2 : 1
  }

  /// One of the letters of which two make a flag.
  var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }

  /// Wide characters that are not emoji.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF,
    0x4E00...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
    0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x1B2FB, 0x1F200...0x1F320,
    0x20000...0x3FFFD,
  ]
}
