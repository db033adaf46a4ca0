package import LivePipelines
import Screens
package import Support

/// The checks of a machine, as text and as JSON.
package struct DoctorReport {
  private let checks: [MachineCheck]

  package init(_ checks: [MachineCheck]) { self.checks = checks }

  package func count(_ state: MachineCheck.State) -> Int {
    checks.count { $0.state == state }
  }

  package var json: JSONValue {
    [
      "checks": checks.map { check -> JSONValue in
        [
          "name": check.name, "state": check.state.rawValue, "finding": check.finding,
          "advice": check.advice,
        ]
      }
    ]
  }

  /// Returns one line per check, and one per advice.
  ///
  /// - Parameters:
  ///   - isUnicode: true if the terminal shows more than ASCII.
  ///   - isColoured: true if marks have colours, as codes of a terminal.
  package func text(isUnicode: Bool, isColoured: Bool) -> String {
    let width = checks.map(\.name.count).max() ?? 0
    func printable(_ text: String) -> String {
      PrintableText(text.printable, isUnicode: isUnicode).text
    }
    return checks.map { check in
      let mark = Self.mark(check.state, isUnicode: isUnicode)
      let shown = isColoured ? "\u{1B}[\(Self.style(check.state))m\(mark)\u{1B}[0m" : mark
      let name = check.name + String(repeating: " ", count: width - check.name.count)
      let indent = String(repeating: " ", count: width + 4)
      let advice = check.advice.map { "\(indent)\(isUnicode ? "→" : "->") \(printable($0))\n" }
      return "\(shown) \(name)  \(printable(check.finding))\n" + (advice ?? "")
    }.joined() + verdict + "\n"
  }

  private var verdict: String {
    let (problems, warnings) = (count(.problem), count(.warning))
    guard problems + warnings > 0 else { return "ready to record" }
    let parts = [(problems, "problem"), (warnings, "warning")].filter { $0.0 > 0 }
      .map { counted($0.0, $0.1) }
    return parts.joined(separator: ", ") + (problems == 0 ? ": ready to record" : "")
  }

  private static func mark(_ state: MachineCheck.State, isUnicode: Bool) -> String {
    switch state {
    case .ok: isUnicode ? "✓" : "+"
    case .warning: "!"
    case .problem: isUnicode ? "✗" : "x"
    case .unknown: "?"
    }
  }

  private static func style(_ state: MachineCheck.State) -> String {
    let style: ScreenStyle =
      switch state {
      case .ok: .immediate
      case .warning: .far
      case .problem: .warm
      case .unknown: .quiet
      }
    return style.code(isColoured: true)
  }
}
