import ArgumentParser
import Glibc
import LivePipelines
import Reporting
import Support

/// The value of an option or argument that names a file, which it registers by its type.
protocol FilePath: ExpressibleByArgument, CustomStringConvertible, PathValues {
  /// The path as it was typed; - is standard input or output.
  var path: String { get }
  init(path: String)

  /// Registers the file among those of the command.
  ///
  /// - Parameter option: the name of the option, such as --table; empty for an argument.
  func register(in files: inout CommandFiles, as option: String) throws
}

extension FilePath {
  init?(argument: String) { self.init(path: argument) }
  var description: String { path }
}

/// A file to read.
struct InputPath: FilePath {
  var path: String

  func register(in files: inout CommandFiles, as option: String) { files.read([path], as: option) }
}

/// A recording to read, and the name of its receiver: FILE@receiver=NAME.
struct ReceivedPath: FilePath {
  var path: String
  var receiver: String?

  init(path: String) {
    self.path = path
    // A file may have such a name.
    guard let mark = path.ranges(of: "@receiver=").last, access(path, F_OK) != 0 else { return }
    receiver = String(path[mark.upperBound...])
    self.path = String(path[..<mark.lowerBound])
  }

  func register(in files: inout CommandFiles, as option: String) { files.read([path], as: option) }
}

/// A site file to read, with the pictures that it names.
struct SitePath: FilePath {
  var path: String

  func register(in files: inout CommandFiles, as option: String) {
    files.read(site: path, as: option)
  }
}

/// A source to listen to, or a file or folder to read.
struct SourcePath: FilePath {
  var path: String

  func register(in files: inout CommandFiles, as option: String) {
    guard access(path, F_OK) != 0, let name = try? SourceName(path) else {
      return files.read([path], as: option)
    }
    // A recording that cannot be read is the stage's to report.
    files.read((try? name.replayedFiles()) ?? [], as: option)
  }
}

/// A file to write.
struct OutputPath: FilePath {
  var path: String

  func register(in files: inout CommandFiles, as option: String) { files.write(path, as: option) }
}

/// A file to write, or - for standard output.
struct OutputStreamPath: FilePath {
  var path: String

  func register(in files: inout CommandFiles, as option: String) {
    files.write(path, as: option, isStream: true)
  }
}

/// A trace to write.
struct TracePath: FilePath {
  var path: String

  func register(in files: inout CommandFiles, as option: String) {
    files.write(path, as: option, isTrace: true)
  }
}

/// A trace to write, or - for lines on standard output.
struct TraceStreamPath: FilePath {
  var path: String

  func register(in files: inout CommandFiles, as option: String) {
    files.write(path, as: option, isStream: true, isTrace: true)
  }
}

/// A trace to write, which may be the input, or - for lines on standard output.
struct UpdatedTracePath: FilePath {
  var path: String

  func register(in files: inout CommandFiles, as option: String) {
    files.write(path, as: option, isStream: true, mayBeInput: true, isTrace: true)
  }
}

/// A file to write, or - for standard output; a trace among the inputs is added to.
struct UpdatedPath: FilePath {
  var path: String

  func register(in files: inout CommandFiles, as option: String) {
    files.write(path, as: option, isStream: true, mayBeInput: true)
  }
}

/// Positions to write: a table, lines, or a trace, which may be the one that is located.
struct PositionsPath: FilePath {
  var path: String

  func register(in files: inout CommandFiles, as option: String) {
    let isTrace = if case .trace = try? PositionForm(path: path) { true } else { false }
    files.write(path, as: option, isStream: true, mayBeInput: isTrace)
  }
}

/// A group of options that reads or writes files beyond those that were typed.
protocol FileDeclaring {
  func declareFiles(in files: inout CommandFiles) throws
}

extension Sequence where Element: FilePath {
  /// The paths as they were typed.
  var paths: [String] { map(\.path) }
}

// MARK: - Reflection

/// One file, several, or none.
protocol PathValues {
  var filePaths: [any FilePath] { get }
}

extension FilePath {
  var filePaths: [any FilePath] { [self] }
}

extension Optional: PathValues where Wrapped: FilePath {
  var filePaths: [any FilePath] { map { [$0] } ?? [] }
}

extension Array: PathValues where Element: FilePath {
  var filePaths: [any FilePath] { self }
}

/// An option or argument of a command that may name files.
protocol PathDeclaration {
  var isArgument: Bool { get }
  var value: Any { get }
}

extension PathDeclaration {
  var paths: [any FilePath] { (value as? any PathValues)?.filePaths ?? [] }
}

extension Option: PathDeclaration {
  var isArgument: Bool { false }
  var value: Any { wrappedValue }
}

extension Argument: PathDeclaration {
  var isArgument: Bool { true }
  var value: Any { wrappedValue }
}

/// A group of options in a command.
protocol OptionGroupValue {
  var anyValue: Any { get }
}

extension OptionGroup: OptionGroupValue {
  var anyValue: Any { wrappedValue }
}
