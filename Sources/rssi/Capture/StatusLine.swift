import Screens
import Support

/// A line on a terminal that says how a capture goes; nothing anywhere else.
struct StatusLine {
  private let isShown: Bool

  init(quiet: Bool) { isShown = StandardError.isTerminal && !quiet }

  func show(rate: Double, beacons: Int, lost: UInt64, path: String?) {
    guard isShown else { return }
    var text = "\r\(decimal(rate, rate < 10 ? 1 : 0)) reports/s, \(beacons) beacons, \(lost) lost"
    if let path { text += ", \(path.printable) \(decimal(Double(fileSize(path)) / 1e6, 1)) MB" }
    StandardError.write(text + "\u{1B}[K")
  }

  func clear() {
    if isShown { StandardError.write("\r\u{1B}[K") }
  }
}
