/// What was heard of one anchor in one piece of a recording, to learn its reception from.
package struct ReceptionWindow: Equatable, Sendable {
  /// How long it is.
  package var seconds: Double
  /// The levels of the packets heard in it, in dBm; empty where there was silence.
  package var levels: [Double]

  package init(seconds: Double, levels: [Double]) {
    self.seconds = seconds
    self.levels = levels
  }
}
