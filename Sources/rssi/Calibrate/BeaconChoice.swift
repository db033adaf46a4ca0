import Advertising

/// A beacon to calibrate, as the command line names it: an identity or a part of one, an address, or a
/// name as a table has it.
struct BeaconChoice {
  let text: String
  /// Nil for a plain name.
  let pattern: BeaconPattern?

  init(_ text: String) throws {
    guard !text.isEmpty else {
      throw Failure(Failure.usage, "--beacon is empty: name a beacon, or leave it out")
    }
    self.text = text
    pattern = BeaconPattern(text)
  }

  /// The address meant, whatever identity is sent from it; nil where an identity is meant.
  var address: UInt64? {
    if case .address(let bits) = pattern { bits } else { nil }
  }

  func matches(_ name: String) -> Bool {
    if name == text { return true }
    guard let pattern, let identity = BeaconPattern(name)?.identity else { return false }
    return pattern.matches(identity)
  }
}
