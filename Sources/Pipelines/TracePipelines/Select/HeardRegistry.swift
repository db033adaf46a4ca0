import Advertising
package import Registries
import Sightings
import TraceStore

extension Registry {
  /// Learns what was sent from its addresses in traces and recordings.
  ///
  /// Of a trace two columns are read at most. Recordings are read once more, if the registry has
  /// addresses.
  ///
  /// - Returns: a sentence where no entry of a registry that a user named was heard; nil where one
  ///   was, or where inputs were not read.
  /// - Throws: `RSSIError` for an input that cannot be read.
  package func learn(from inputs: [String]) throws -> String? {
    guard !inputs.isEmpty, origin != nil || !addresses.isEmpty else { return nil }
    var heard: [String] = []
    var senders: Set<UInt64> = []
    var isWhole = true
    for path in inputs {
      if path != "-", try InputKind(path: path) == .trace {
        let catalogue = try TraceReader(path: path).catalogue(withSendersAmong: addresses)
        learn(catalogue)
        heard += catalogue.beacons.map(\.id)
        senders.formUnion(catalogue.advertisers.lazy.map(\.bits))
      } else {
        isWhole = false
        guard path != "-", !addresses.isEmpty else { continue }
        try forEachBlock(
          of: path, [], filtered: nil, note: { _ in }, { learn($1) })
      }
    }
    return isWhole ? doubt(heard: heard, senders: senders.sorted()) : nil
  }
}
