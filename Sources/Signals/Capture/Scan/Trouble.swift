import Sightings

/// Why scanning has to be set up again.
enum Trouble: Equatable {
  /// Nothing was heard for long; whether it is time for a reset.
  case silence(since: Int64, resets: Bool)
  /// The controller failed or was reset.
  case failed(at: Int64)
  /// Another program changed the scan; whether to show the person who captures.
  case interference(Opcode, at: Int64, isToBeTold: Bool)
  /// It was switched off, unplugged or cut off.
  case absent(since: Int64)

  /// What the gap in the recording is called.
  var reason: Gap.Reason {
    switch self {
    case .silence: .silence
    case .failed: .reset
    case .interference: .interference
    case .absent: .unplugged
    }
  }

  /// When it may have begun, nanoseconds since the Unix epoch.
  var start: Int64 {
    switch self {
    case .silence(let time, _), .failed(let time), .interference(_, let time, _), .absent(let time):
      time
    }
  }
}

/// What is done to bring scanning back, from the mildest on.
enum Remedy: Equatable {
  /// Set the scan and switch it on.
  case rescan
  /// Set the controller up from the beginning.
  case setUp
  /// Reset the way to the controller, then set it up.
  case reset
}
