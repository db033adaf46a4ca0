import Advertising
import Registries
import Support

/// A beacon to calibrate, as the command line names it: an identity or a part of one, an address,
/// or a name as a table or the registry has it.
struct BeaconChoice {
  let text: String
  /// Empty for the plain name of a table; several where beacons of the registry share a name.
  let patterns: [BeaconPattern]

  init(_ text: String, in registry: Registry = Registry()) throws {
    guard !text.isEmpty else {
      throw RSSIError(.usage, "--beacon is empty: name a beacon, or leave it out")
    }
    self.text = text
    patterns = beaconPatterns(text, in: registry)
  }

  /// The address meant, whatever identity is sent from it; nil where an identity is meant.
  var address: UInt64? {
    if patterns.count == 1, case .address(let bits) = patterns[0] { bits } else { nil }
  }

  func matches(_ name: String) -> Bool {
    if name == text { return true }
    guard let identity = BeaconPattern(name)?.identity else { return false }
    return patterns.contains { $0.matches(identity) }
  }
}
