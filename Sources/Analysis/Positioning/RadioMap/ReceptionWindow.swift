/// What was heard of one anchor in one piece of a recording, to learn its reception from.
public struct ReceptionWindow: Equatable, Sendable {
  /// How long it is.
  public var seconds: Double
  /// The levels of the packets heard in it, in dBm; empty where there was silence.
  public var levels: [Double]

  public init(seconds: Double, levels: [Double]) {
    self.seconds = seconds
    self.levels = levels
  }
}
