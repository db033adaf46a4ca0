import Glibc
package import Support

/// The program that draws.
struct Gnuplot {
  let path: String

  /// - Parameter searchPath: folders, divided by colons; only absolute ones are searched.
  /// - Throws: a `RSSIError` of kind `unavailable` where none of them has gnuplot.
  init(searchPath: String) throws(RSSIError) {
    let candidates = searchPath.split(separator: ":").map { "\($0)/gnuplot" }
    guard let path = candidates.first(where: { $0.hasPrefix("/") && access($0, X_OK) == 0 }) else {
      throw RSSIError(
        .unavailable, "gnuplot is not installed: sudo apt install gnuplot-nox")
    }
    self.path = path
  }

  /// Runs a script and returns what it drew.
  ///
  /// gnuplot is given no file's name, no start-up file and no more of the environment than it
  /// needs. It reads and writes unnamed files: none of them can block, and it leaves nothing
  /// behind.
  func draw(_ script: String) throws(RSSIError) -> [UInt8] {
    let input = try UnnamedFile()
    let output = try UnnamedFile()
    let complaints = try UnnamedFile()
    try input.write(Array(script.utf8))
    let status = try run([input, output, complaints])
    let picture = try output.bytes()
    guard status == 0, !picture.isEmpty else {
      let text = String(decoding: try complaints.bytes(), as: UTF8.self)
      throw RSSIError(
        .failed, "gnuplot failed: \(firstError(in: text)); report the chart as a fault"
      )
    }
    return picture
  }

  /// Runs gnuplot to its end with three files as its standard streams, and returns how it ended.
  private func run(_ streams: [UnnamedFile]) throws(RSSIError) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in streams.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, stream.descriptor, Int32(number))
    }
    // Files that are open here are none of gnuplot's business: it would keep their locks.
    keepOpenFiles(from: &actions)
    // -d: no start-up files, neither the system's nor the user's.
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("gnuplot"), strdup("-d"), nil]
    var environment: [UnsafeMutablePointer<CChar>?] = [
      strdup("LC_ALL=C.UTF-8"), strdup("PATH=/usr/bin:/bin"), nil,
    ]
    defer { for text in arguments + environment { free(text) } }
    var process: pid_t = 0
    let problem = posix_spawn(&process, path, &actions, nil, &arguments, &environment)
    guard problem == 0 else {
      throw RSSIError(
        .unavailable, "cannot run \(path) (\(systemMessage(problem))); reinstall gnuplot-nox")
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else {
        throw RSSIError(.failed, "cannot wait for gnuplot (\(systemMessage(errno))); run again")
      }
    }
    return status
  }
}

/// Where the program is that draws charts.
///
/// - Throws: a `RSSIError` of kind `unavailable` where it is not installed.
package func gnuplotPath() throws(RSSIError) -> String {
  try Gnuplot(searchPath: systemSearchPath).path
}

/// The folders of programs, divided by colons.
var systemSearchPath: String { getenv("PATH").map { String(cString: $0) } ?? "" }

/// What gnuplot says of its first error: `line 3: invalid command` without the line of its script.
func firstError(in text: String) -> String {
  for line in text.split(whereSeparator: \.isNewline) {
    if let match = line.firstMatch(of: /line [0-9]+: (.+)/), !match.1.hasPrefix("warning") {
      return shown(String(match.1), limit: 200)
    }
  }
  let first = text.split(whereSeparator: \.isNewline).first { $0.contains { !$0.isWhitespace } }
  return shown(first.map(String.init) ?? "it said nothing", limit: 200)
}
