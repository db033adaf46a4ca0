/// How much a registry may hold: more is a mistake, or someone who means harm.
package enum RegistryLimits {
  /// Bytes of a document.
  package static let bytes = 64 << 20
  /// JSON values of a document; bounds the memory that one of empty lists would take.
  static let values = 8_000_000
  package static let beacons = 1_000_000
  /// UTF-8 bytes of a name or an identity, as many as a trace file keeps.
  static let nameBytes = 128
  /// UTF-8 bytes of a description or of one note.
  static let textBytes = 4096
  static let notes = 64
  /// dBm.
  static let power = -127.0...20.0
  /// Metres from the origin.
  static let coordinate = 1e6
}
