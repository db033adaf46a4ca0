import Glibc
package import Support

/// A program that reads a script and writes a picture.
struct DrawingProgram {
  let path: String
  private let name: String
  private let package: String
  private let arguments: [String]

  /// Returns gnuplot, which draws charts from a script, without the start-up files of system and
  /// user.
  static func gnuplot(searchPath: String) throws(RSSIError) -> DrawingProgram {
    try DrawingProgram("gnuplot", of: "gnuplot-nox", ["-d"], searchPath: searchPath)
  }

  /// Returns the converter of SVG to pixels or paper.
  static func svgConverter(_ format: PictureFormat, searchPath: String) throws(RSSIError)
    -> DrawingProgram
  {
    try DrawingProgram(
      "rsvg-convert", of: "librsvg2-bin",
      ["-f", format.rawValue, "-b", Colours.light.page] + (format == .png ? ["-z", "2"] : []),
      searchPath: searchPath)
  }

  /// - Parameters:
  ///   - package: the package to install.
  ///   - searchPath: folders, divided by colons; only absolute ones are searched.
  /// - Throws: `RSSIError` of kind `unavailable` if none of them has the program.
  private init(
    _ name: String, of package: String, _ arguments: [String], searchPath: String
  ) throws(RSSIError) {
    let candidates = searchPath.split(separator: ":").map { "\($0)/\(name)" }
    guard let path = candidates.first(where: { $0.hasPrefix("/") && access($0, X_OK) == 0 }) else {
      throw RSSIError(.unavailable, "\(name) is not installed: sudo apt install \(package)")
    }
    (self.name, self.package, self.arguments, self.path) = (name, package, arguments, path)
  }

  /// Runs the program on a script, and returns its output.
  ///
  /// The program gets no file name and only the environment that it needs. It reads and writes
  /// unnamed files: none can block, and none is left behind.
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
        .failed, "\(name) failed: \(firstError(in: text)); report the picture as a fault"
      )
    }
    return picture
  }

  /// Runs the program to its end with three files as its standard streams, and returns its status.
  private func run(_ streams: [UnnamedFile]) throws(RSSIError) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in streams.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, stream.descriptor, Int32(number))
    }
    // The program would inherit the locks of open files.
    keepOpenFiles(from: &actions)
    var arguments: [UnsafeMutablePointer<CChar>?] =
      ([name] + self.arguments).map { strdup($0) } + [nil]
    var environment: [UnsafeMutablePointer<CChar>?] = [
      strdup("LC_ALL=C.UTF-8"), strdup("PATH=/usr/bin:/bin"), nil,
    ]
    defer { for text in arguments + environment { free(text) } }
    var process: pid_t = 0
    let problem = posix_spawn(&process, path, &actions, nil, &arguments, &environment)
    guard problem == 0 else {
      throw RSSIError(
        .unavailable, "cannot run \(path) (\(systemMessage(problem))); reinstall \(package)")
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else {
        throw RSSIError(.failed, "cannot wait for \(name) (\(systemMessage(errno))); run again")
      }
    }
    return status
  }
}

/// Returns the path of a program that draws pictures: `gnuplot` or `rsvg-convert`.
///
/// - Throws: `RSSIError` of kind `unavailable` if it is not installed.
package func drawingProgramPath(_ name: String) throws(RSSIError) -> String {
  name == "gnuplot"
    ? try DrawingProgram.gnuplot(searchPath: systemSearchPath).path
    : try DrawingProgram.svgConverter(.png, searchPath: systemSearchPath).path
}

/// The folders of programs, separated by colons.
var systemSearchPath: String { getenv("PATH").map { String(cString: $0) } ?? "" }

/// Returns the first error in a program's messages; gnuplot's `line 3: invalid command` without the
/// line of its script.
func firstError(in text: String) -> String {
  for line in text.split(whereSeparator: \.isNewline) {
    guard let place = line.firstRange(of: "line ") else { continue }
    let rest = line[place.upperBound...].drop { $0.isNumber }
    if rest.hasPrefix(": "), rest.count > 2, !rest.hasPrefix(": warning") {
      return shown(String(rest.dropFirst(2)), limit: 200)
    }
  }
  let first = text.split(whereSeparator: \.isNewline).first { $0.contains { !$0.isWhitespace } }
  return shown(first.map(String.init) ?? "without a message", limit: 200)
}

/// A file without a name, in the system's temporary folder, that is gone when it is closed.
final class UnnamedFile {
  private let stream: UnsafeMutablePointer<FILE>
  var descriptor: Int32 { fileno(stream) }

  init() throws(RSSIError) {
    guard let stream = tmpfile() else {
      throw RSSIError(
        .inputOutput,
        "cannot make a temporary file (\(systemMessage(errno))); free some space in /tmp")
    }
    self.stream = stream
    _ = fcntl(fileno(stream), F_SETFD, FD_CLOEXEC)
  }

  /// Replaces the content, and rewinds for a reader.
  func write(_ bytes: [UInt8]) throws(RSSIError) {
    try writeAll(bytes, to: descriptor, path: "the drawing script")
    lseek(descriptor, 0, SEEK_SET)
  }

  /// Returns the content.
  func bytes() throws(RSSIError) -> [UInt8] {
    let length = lseek(descriptor, 0, SEEK_END)
    guard length > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: length)
    var filled = 0
    while filled < length {
      let count = bytes[filled...].withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress, $0.count, filled)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw RSSIError(
          .failed, "cannot read the picture (\(systemMessage(errno))); run again")
      }
      filled += count
    }
    return bytes
  }

  deinit { fclose(stream) }
}
