import Glibc
import Sites
import Support
import TraceStore

/// The files that a command reads and writes, checked before any of them is opened.
///
/// No output replaces an input or another output, by whatever links and names they are the same
/// file; a stage whose purpose is to add to a file names it as such.
struct CommandFiles {
  private struct Named {
    var option: String
    var path: String
    var place: FilePlace

    init(_ path: String, _ option: String) {
      (self.path, self.option) = (path, option)
      place = FilePlace(path)
    }

    var shown: String { option.isEmpty ? path : "\(option) \(path)" }

    /// Whether both are one file; - is the file that a shell has put there.
    func isSame(as other: Named) -> Bool {
      guard path != "-", other.path != "-" else {
        let (mine, its) = (identity, other.identity)
        return mine != nil && mine == its
      }
      return place.isSame(as: other.place)
    }

    private var identity: FileIdentity? {
      guard path == "-" else { return FileIdentity(path: path) }
      let descriptor = option.isEmpty ? STDIN_FILENO : STDOUT_FILENO
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
      return FileIdentity(descriptor: descriptor)
    }
  }

  private var inputs: [Named] = []
  private var outputs: [Output] = []
  /// Whether the stage rewrites its inputs where no other output is named.
  var replacesInputs = false

  private struct Output {
    var file: Named
    var isStream: Bool
    var isPattern: Bool
    var replaced: [Named]
  }

  /// - Parameter option: the option that names them; the arguments of a command have none.
  mutating func read(_ paths: [String?], as option: String = "") {
    inputs += paths.compactMap(\.self).map { Named($0, option) }
  }

  /// The site file, and the pictures that it names.
  mutating func read(site: String?) {
    guard let site else { return }
    read([site], as: "--site")
    // A pipe can be read only once. Errors in the file are the stage's to report.
    guard fileLength(site) > 0, let floors = try? Site(path: site).floors else { return }
    read(floors.map(\.image), as: "the picture in --site")
  }

  /// - Parameters:
  ///   - isStream: whether - is standard output.
  ///   - isPattern: whether files get names that are made of it.
  ///   - replaced: inputs that it may be, since the stage adds to them.
  mutating func write(
    _ paths: [String?], as option: String, isStream: Bool = false, isPattern: Bool = false,
    mayReplace replaced: [String] = []
  ) {
    outputs += paths.compactMap(\.self).map { path in
      Output(
        file: Named(path, option), isStream: isStream, isPattern: isPattern,
        replaced: replaced.map { Named($0, "") })
    }
  }

  /// - Throws: a usage failure for outputs that would destroy something, and what `AtomicFile`
  ///   refuses.
  func check(_ reporting: ReportingOptions) throws { try check(isReportRequired: reporting.json) }

  /// - Parameter isReportRequired: whether standard output is needed even where a file has the
  ///   result.
  func check(isReportRequired: Bool = false) throws {
    for (index, output) in outputs.enumerated() {
      let file = output.file
      try checkName(of: file, isStream: output.isStream)
      let others =
        inputs.filter { input in !output.replaced.contains { $0.isSame(as: input) } }
        + outputs[..<index].map(\.file)
      if let other = others.first(where: { $0.isSame(as: file) }) {
        throw RSSIError(
          .usage, "\(other.shown) and \(file.shown) are the same file: name another output")
      }
      if file.path != "-", !output.isPattern { try AtomicFile.check(path: file.path) }
    }
    let isStream = outputs.contains { $0.file.path == "-" }
    let hasResult = replacesInputs || !outputs.isEmpty && !isStream
    StandardOutput.isOptional = hasResult && !isReportRequired
  }

  private func checkName(of file: Named, isStream: Bool) throws {
    guard !file.path.isEmpty else {
      throw RSSIError(.usage, "\(file.option) needs the name of a file")
    }
    guard file.path != "-" || isStream else {
      throw RSSIError(
        .usage,
        "\(file.option) writes a file, not standard output: name a file (./- for one called -)")
    }
    guard !file.place.isDescriptor else {
      throw RSSIError(
        .usage,
        "\(file.shown) is an open descriptor, not a file: "
          + (isStream ? "write \(file.option) - for standard output" : "name a file"))
    }
  }
}
