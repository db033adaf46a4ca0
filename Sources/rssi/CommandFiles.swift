import ArgumentParser
import Glibc
import Sites
import Support
import TracePipelines
import TraceStore

/// The files that a command reads and writes, checked before any of them is opened.
///
/// A command declares each file by the type of its option (``InputPath``, ``OutputPath`` and the
/// others of `OptionPaths.swift`), which registers the file here. No output replaces an input or
/// another output, whatever links and names lead to it; only a stage that adds to a trace may name
/// its input as output.
struct CommandFiles {
  private struct Named {
    var option: String
    var path: String
    var place: FilePlace

    init(_ path: String, _ option: String) {
      (self.path, self.option) = (path, option)
      place = FilePlace(path)
    }

    /// A Boolean value that is true for an argument of the command that is a trace, or missing.
    var canBeAddedTo: Bool {
      option.isEmpty && ((try? InputKind(path: path)) == .trace || access(path, F_OK) != 0)
    }

    var shown: String { option.isEmpty ? path : "\(option) \(path)" }

    /// Returns true if both are one file; - is the file of a redirection.
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
  /// A Boolean value that is true if the stage rewrites its inputs when no other output is named.
  var replacesInputs = false
  private var isReportRequired = false

  private struct Output {
    var file: Named
    var isStream: Bool
    var isPattern: Bool
    var mayBeInput: Bool
    var isTrace: Bool
  }

  /// Registers the files of all options and arguments of a command, and of its option groups.
  init(of command: some ParsableCommand) throws {
    try register(command)
  }

  private mutating func register(_ declaration: Any) throws {
    if let reporting = declaration as? ReportingOptions { isReportRequired = reporting.json }
    for child in Mirror(reflecting: declaration).children {
      if let group = child.value as? any OptionGroupValue {
        try register(group.anyValue)
      } else if let option = child.value as? any PathDeclaration {
        let name = option.isArgument ? "" : Self.option(child.label ?? "")
        for path in option.paths { try path.register(in: &self, as: name) }
      }
    }
    try (declaration as? any FileDeclaring)?.declareFiles(in: &self)
  }

  /// Returns the option of a stored property: `_radioMap` is --radio-map.
  private static func option(_ label: String) -> String {
    let name = label.drop { $0 == "_" }
    guard name != "output" else { return "-o" }
    return "--"
      + name.map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }.joined()
  }

  /// - Parameter option: the option that names them; the arguments of a command have none.
  ///
  /// A folder stands for its traces.
  mutating func read(_ paths: [String], as option: String = "") {
    for path in paths {
      let files =
        isFolder(path) ? (try? inputFiles([path], mayRepeat: true)) ?? [] : tableFiles(path)
      inputs += files.map { Named($0, option) }
    }
  }

  /// Registers a site file, and the pictures that it names.
  mutating func read(site: String, as option: String) {
    read([site], as: option)
    // A pipe can be read only once. Errors in the file are the stage's to report.
    guard fileLength(site) > 0, let floors = try? Site(path: site).floors else { return }
    read(floors.compactMap(\.image?.path), as: "the picture in \(option)")
  }

  /// - Parameters:
  ///   - isStream: true if - is standard output.
  ///   - isPattern: true if file names are derived from it.
  ///   - mayBeInput: true if the stage adds to a trace, which may be one of its inputs.
  ///   - isTrace: true if the file is always a trace, whatever its name.
  mutating func write(
    _ path: String?, as option: String, isStream: Bool = false, isPattern: Bool = false,
    mayBeInput: Bool = false, isTrace: Bool = false
  ) {
    guard let path else { return }
    outputs.append(
      Output(
        file: Named(path, option), isStream: isStream, isPattern: isPattern,
        mayBeInput: mayBeInput, isTrace: isTrace))
  }

  /// Decides whether the outputs may be standard output, if that depends on other options.
  mutating func allowStandardOutput(_ isAllowed: Bool) {
    for index in outputs.indices { outputs[index].isStream = isAllowed }
  }

  /// Checks all outputs, and notes whether standard output is needed.
  ///
  /// - Throws: a usage failure for outputs that would destroy something, and what `AtomicFile`
  ///   refuses.
  func check() throws {
    for (index, output) in outputs.enumerated() {
      let file = output.file
      try checkName(of: file, isStream: output.isStream)
      // A trace that is added to may serve as calibration or survey as well.
      let isAddedTo =
        output.mayBeInput && inputs.contains { $0.isSame(as: file) && $0.canBeAddedTo }
      let others = (isAddedTo ? [] : inputs) + outputs[..<index].map(\.file)
      if let other = others.first(where: { $0.isSame(as: file) }) {
        throw RSSIError(
          .usage, "\(other.shown) and \(file.shown) are the same file: name another output")
      }
      if output.isTrace { try checkExtension(of: file) }
      if file.path != "-", !output.isPattern { try AtomicFile.check(path: file.path) }
    }
    let isStream = outputs.contains { $0.file.path == "-" }
    let hasResult = replacesInputs || !outputs.isEmpty && !isStream
    StandardOutput.isOptional = hasResult && !isReportRequired
  }

  /// Refuses the extension of another format for a new trace.
  private func checkExtension(of file: Named) throws {
    let exported = ExportFormat.allCases.filter { $0 != .trace }.map(\.rawValue)
    let others = ["json", "jsonl", "tsv", "txt", "xlsx", "parquet", "html", "svg", "toml", "pcap"]
    let name = file.path.lowercased()
    guard let ending = (exported + others).first(where: { name.hasSuffix(".\($0)") }),
      (try? InputKind(path: file.path)) != .trace
    else { return }
    let trace = file.path.dropLast(ending.count) + "h5"
    let export =
      exported.contains(ending) ? ", then convert it: `rssi export \(trace) -o \(file.path)`" : ""
    throw RSSIError(
      .usage, "a trace is HDF5, not .\(ending)", in: file.shown,
      advice: "write \(file.option) \(trace)\(export)")
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
