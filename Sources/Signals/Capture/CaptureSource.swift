import Support

/// What is listened to: an adapter, a dongle, gateways behind a broker, a recording played again.
package protocol CaptureSource: ~Copyable {
  /// Listens and hands on what is received, until the sink wants no more or the source ends.
  ///
  /// A source waits at most a tenth of a second between two calls of the sink's `tick`, leaves the
  /// adapter as it found it when it returns or throws, and recovers by itself from what can be
  /// recovered from, showing the sink what was lost meanwhile.
  ///
  /// - Throws: `RSSIError` where listening cannot begin or go on; what the sink throws.
  mutating func run<Sink: CaptureSink & ~Copyable>(into sink: inout Sink) throws
}
