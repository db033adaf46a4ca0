/// Where an engine writes lines of text that another program reads while it works, such as the
/// standard output of a program.
package protocol LineWriter {
  /// Writes text, which may wait in a buffer until `flush`.
  func write(_ text: String) throws
  func flush() throws
}
