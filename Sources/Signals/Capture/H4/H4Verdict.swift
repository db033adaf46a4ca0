/// The decision on the bytes at an offset of an H4 stream.
enum H4Verdict: Equatable {
  /// The bytes are a packet.
  case packet(length: Int)
  /// A number of bytes are noise.
  case noise(length: Int)
  /// More bytes are needed; whether there is a whole packet already.
  case undecided(isWhole: Bool)

  /// - Parameters:
  ///   - shape: the appearance of the bytes by themselves.
  ///   - isIdle: whether the stream paused.
  ///   - ahead: receives the shape after the packet, if it was examined.
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

  /// Decides on a sound packet without a following one, or with noise after it: some of its bytes
  /// may be missing, so that its apparent end is within the next packet, or within noise after
  /// that.
  ///
  /// Without noise, events within it are part of an advertisement and are ignored.
  ///
  /// - Parameter next: the shape of the bytes after it, if there are any.
  private static func onUnconfirmed(
    length: Int, at start: Int, in bytes: Span<UInt8>, next: H4Shape?, isIdle: Bool
  ) -> H4Verdict {
    let end = start + length
    let inside = (start + 1)..<end
    let reach = next?.confirms == false ? start : end + 1
    switch InnerEvent(within: inside, of: bytes, reaching: reach, isConfirmed: true) {
    // Data whose end resembles the beginning of an event form one with the first bytes of the next
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
    // Vendor-specific and rarer LE events may contain any bytes. Data packets may not: a stray 0x03
    // before an event forms one that ends with the event.
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

  /// Returns a Boolean value that is true if only complete, sound events lie between an offset and
  /// the end of the bytes.
  private static func areEvents(_ bytes: Span<UInt8>, from offset: Int) -> Bool {
    var offset = offset
    while offset < bytes.count {
      guard case .sound(let length) = H4Shape(bytes, at: offset) else { return false }
      offset += length
    }
    return true
  }
}

/// A sound event within a presumed packet.
private enum InnerEvent {
  case none
  case whole(at: Int)
  case unfinished

  /// Finds the first event that begins in a range and extends at least to an offset.
  ///
  /// - Parameter isConfirmed: whether another event, or the end of the bytes, has to follow it.
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
        // An apparent event within that one may be its data.
        if bytes.count - offset >= 4 { return }
      default: break
      }
    }
  }
}
