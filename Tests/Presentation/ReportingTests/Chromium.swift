import Foundation
import Geometry
import TestSupport
import Testing

/// A page as Chromium makes it, without a window.
struct Chromium {
  /// The browser's path; nil where there is none.
  static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// A Boolean value that is true if there is a browser. With CI, tests fail without it.
  static var isThere: Bool { path != nil || ProcessInfo.processInfo.environment["CI"] != nil }

  struct Page {
    /// The document as it is after the scripts.
    var document: String
    /// The messages on the console of the page, refused requests included.
    var console: [String]
  }

  /// - Parameters:
  ///   - html: the page.
  ///   - fragment: of its address, with `#`.
  ///   - script: runs after the page's own.
  ///   - width: of the window, in pixels.
  static func open(_ html: String, fragment: String = "", script: String = "", width: Int = 1280)
    throws -> Page
  {
    let scratch = try TemporaryDirectory()
    let tested =
      script.isEmpty
      ? html
      : html.replacingOccurrences(
        of: "</body>", with: "<script nonce=\"rssi\">\(script)</script></body>")
    let result = try run(
      ["--dump-dom", "--window-size=\(width),1000", "--enable-logging=stderr"], tested, fragment,
      scratch)
    let console = result.error.split(separator: "\n").filter { $0.contains(":CONSOLE") }.map(
      String.init)
    return Page(document: result.output, console: console)
  }

  /// Opens a page, runs one script after the other, and reads the plan's readout after each.
  ///
  /// - Parameter last: milliseconds that the last one needs.
  static func readouts(
    _ html: String, after scripts: [String], last: Int, width: Int = 1280
  ) throws -> (texts: [Substring], page: Page) {
    let list = scripts.map { "function () { \($0); }" }.joined(separator: ", ")
    let page = try open(
      html,
      script: """
        function byId(name) { return document.getElementById(name); }
        function set(name, value, event) { byId(name).value = value; byId(name).dispatchEvent(new Event(event)); }
        var steps = [\(list)], read = [];
        function next(index) {
          if (index === steps.length) {
            document.body.dataset.read = read.join('|');
            document.body.dataset.excess = document.documentElement.scrollWidth - window.innerWidth;
            return;
          }
          steps[index]();
          setTimeout(function () {
            read.push(byId('plan-readout').innerText.replace(/\\s+/g, ' ')); next(index + 1);
          }, index === steps.length - 1 ? \(last) : 20);
        }
        next(0);
        """, width: width)
    let texts = try #require(page.document.firstMatch(of: /data-read="([^"]*)"/)).1
    return (texts.split(separator: "|"), page)
  }

  /// Writes a picture of the page.
  static func picture(
    _ html: String, fragment: String = "", width: Int, height: Int, isDark: Bool, to path: String
  ) throws {
    let scratch = try TemporaryDirectory()
    _ = try run(
      [
        "--screenshot=\(path)", "--window-size=\(width),\(height)", "--hide-scrollbars",
        "--blink-settings=preferredColorScheme=\(isDark ? 0 : 1)",
      ], html, fragment, scratch)
  }

  private static func run(
    _ arguments: [String], _ html: String, _ fragment: String, _ scratch: TemporaryDirectory
  ) throws -> ProgramResult {
    let browser = try #require(path, "install chromium: scripts/bootstrap test")
    let page = try scratch.write(html, to: "report.html")
    let result = try runProgram(
      browser,
      [
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
        "--user-data-dir=\(scratch.path("profile"))", "--virtual-time-budget=9000",
      ] + arguments + ["file://\(page)\(fragment)"], directory: scratch.url)
    try #require(result.exitCode == 0, "\(result.error)")
    return result
  }
}

extension Chromium.Page {
  /// The text inside the element with an id, its tags left out.
  func text(of id: String) -> String? {
    guard let start = document.range(of: "id=\"\(id)\""),
      let opened = document[start.upperBound...].firstIndex(of: ">")
    else { return nil }
    let tag = document[..<start.lowerBound].split(separator: "<").last?.prefix { $0.isLetter } ?? ""
    let rest = document[document.index(after: opened)...]
    guard let end = rest.range(of: "</\(tag)>") else { return nil }
    return rest[..<end.lowerBound].replacing(/<[^>]*>/, with: " ")
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
