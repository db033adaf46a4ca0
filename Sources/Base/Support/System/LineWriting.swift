/// Where an engine that follows a live input writes its lines.
public protocol LineWriting {
  /// Writes text, line ends included; it may be kept until `flush()`.
  func write(_ text: String) throws
  /// Hands over what was kept.
  func flush() throws
}
