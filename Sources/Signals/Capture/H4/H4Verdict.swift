/// The decision about the bytes at some place of an H4 stream.
enum H4Verdict: Equatable {
  /// They are a packet.
  case packet(length: Int)
  /// So many are none.
  case noise(length: Int)
  /// More bytes will show; whether there is a whole packet already.
  case undecided(isWhole: Bool)

  /// - Parameters:
  ///   - shape: what the bytes look like by themselves.
  ///   - isIdle: whether nothing more came for a while.
  ///   - ahead: receives the shape of what follows the packet, where that was looked at.
  init(
    on shape: H4Shape, at start: Int, in bytes: Span<UInt8>, isIdle: Bool, ahead: inout H4Shape?
  ) {
    switch shape {
    case .impossible: self = .noise(length: 1)
    case .sound(let length):
      if start + length < bytes.count {
        ahead = H4Shape(bytes, at: start + length)
        // Four bytes that agree are more than a coincidence, fewer are not.
        if ahead?.confirms == true, bytes.count - start - length >= 4 {
          self = .packet(length: length)
          return
        }
      }
      self = Self.onUnconfirmed(length: length, at: start, in: bytes, next: ahead, isIdle: isIdle)
      if case .noise = self { ahead = nil }
    case .doubtful(let length):
      self = Self.onDoubtful(length: length, at: start, in: bytes, isIdle: isIdle)
    case .unfinished(let isSound):
      self = Self.onUnfinished(isSound: isSound, at: start, in: bytes, isIdle: isIdle)
    }
  }

  /// A sound packet with nothing behind it, or with noise: perhaps bytes of it are missing, so that
  /// it seems to end within the next one, or within noise behind that.
  ///
  /// Without noise, events within it are what someone advertises, and are left alone.
  ///
  /// - Parameter next: what the bytes behind it look like, if there are any.
  private static func onUnconfirmed(
    length: Int, at start: Int, in bytes: Span<UInt8>, next: H4Shape?, isIdle: Bool
  ) -> H4Verdict {
    let end = start + length
    let inside = (start + 1)..<end
    let reach = next?.confirms == false ? start : end + 1
    switch InnerEvent(within: inside, of: bytes, reaching: reach, isConfirmed: true) {
    // Data that end like the beginning of an event make one with the first bytes of the next
    // packet.
    case .whole where next?.confirms == true && !isIdle: return .undecided(isWhole: true)
    case .whole(let inner): return .noise(length: inner - start)
    case .unfinished where !isIdle: return .undecided(isWhole: true)
    case .unfinished, .none: return .packet(length: length)
    }
  }

  private static func onDoubtful(
    length: Int, at start: Int, in bytes: Span<UInt8>, isIdle: Bool
  ) -> H4Verdict {
    let end = start + length
    let next = end < bytes.count ? H4Shape(bytes, at: end) : nil
    // Vendors' events and rarer LE events may hold anything. Not so data packets: a stray 0x03
    // before an event makes one that ends where the event does.
    let mayHoldEvents =
      bytes[start] == 0x04 && (bytes[start + 1] == 0xFF || bytes[start + 1] == 0x3E)
    if mayHoldEvents, case .sound = next { return .packet(length: length) }
    switch InnerEvent(within: (start + 1)..<end, of: bytes, reaching: start) {
    case .whole(let inner): return .noise(length: inner - start)
    case .unfinished where !isIdle: return .undecided(isWhole: true)
    case .unfinished, .none:
      return next == .impossible ? .noise(length: 1) : .packet(length: length)
    }
  }

  private static func onUnfinished(
    isSound: Bool, at start: Int, in bytes: Span<UInt8>, isIdle: Bool
  ) -> H4Verdict {
    let rest = (start + 1)..<bytes.count
    if !isSound, case .whole(let inner) = InnerEvent(within: rest, of: bytes, reaching: start) {
      return .noise(length: inner - start)
    }
    if isIdle, let inner = rest.first(where: { areEvents(bytes, from: $0) }) {
      return .noise(length: inner - start)
    }
    return .undecided(isWhole: false)
  }

  /// Returns true if nothing but whole, sound events lies between an offset and the end of the
  /// bytes.
  private static func areEvents(_ bytes: Span<UInt8>, from offset: Int) -> Bool {
    var offset = offset
    while offset < bytes.count {
      guard case .sound(let length) = H4Shape(bytes, at: offset) else { return false }
      offset += length
    }
    return true
  }
}

/// A sound event that begins within what may be another packet.
private enum InnerEvent {
  case none
  case whole(at: Int)
  case unfinished

  /// Looks for the first that begins in a range and reaches at least to some place.
  ///
  /// - Parameter isConfirmed: whether another has to follow it, or nothing.
  init(
    within range: Range<Int>, of bytes: Span<UInt8>, reaching end: Int, isConfirmed: Bool = false
  ) {
    self = .none
    for offset in range where bytes[offset] == 0x04 {
      switch H4Shape(bytes, at: offset) {
      case .sound(let length) where offset + length >= end:
        let next = offset + length
        guard !isConfirmed || next == bytes.count || H4Shape(bytes, at: next).confirms else {
          continue
        }
        self = .whole(at: offset)
        return
      case .unfinished(isSound: true):
        self = .unfinished
        // What seems to lie within that one may be its data.
        if bytes.count - offset >= 4 { return }
      default: break
      }
    }
  }
}
