import Glibc

/// A failure with its kind, its subject, the problem and the remedy.
///
/// All libraries of the package throw this error for failures that a user can resolve. The program
/// maps its kind to an exit code.
///
/// ```swift
/// do throws(RSSIError) {
///   let trace = try TraceReader(path: "walk.h5")
/// } catch {
///   if error.kind == .noInput { print("not there: \(error.subject ?? "")") }
/// }
/// ```
public struct RSSIError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of a failure.
  public enum Kind: Hashable, Sendable {
    /// A request that cannot be met with any input: a value out of range, or two that exclude each
    /// other.
    case usage
    /// An input that is damaged, of another format, or unusable.
    case badInput
    /// A file that does not exist, or is a directory.
    case noInput
    /// An adapter, controller, broker, server or program that does not exist, or is gone.
    case unavailable
    /// An answer that breaks the protocol.
    case protocolViolation
    /// The disk is full, or a device failed.
    case inputOutput
    /// The user has no permission to read, write or use it.
    case permission
    /// The reader of an output has ended, which is not a failure of the writer.
    case closedPipe
    /// Any other failure.
    case failed
  }

  /// The kind of the failure.
  public var kind: Kind
  /// The file, device, option value or link that the problem is about; `nil` if the problem names
  /// it.
  public var subject: String?
  /// The problem, as a clause without a full stop.
  public var problem: String
  /// The remedy, as a clause without a full stop; nil if there is none.
  public var advice: String?

  /// Creates an error.
  public init(
    _ kind: Kind, _ problem: String, in subject: String? = nil, advice: String? = nil
  ) {
    self.kind = kind
    self.subject = subject
    self.problem = problem
    self.advice = advice
  }

  /// One sentence: the subject, the problem and the advice.
  public var description: String {
    (subject.map { "\($0): " } ?? "") + problem
      + (advice.map { (problem.hasSuffix("?") ? " " : "; ") + $0 } ?? "")
  }
}

extension RSSIError {
  /// Creates the error from any other: itself if it already is one, else of the kind `failed`.
  package init(_ error: any Error) {
    self = error as? RSSIError ?? RSSIError(.failed, text(of: error))
  }
}

/// Returns the sentence of an error, or its fields if it has none.
package func text(of error: any Error) -> String { String(describing: error) }

// Debug builds have the names, and tests print values of all kinds.
#if !DEBUG
  extension DefaultStringInterpolation {
    /// Refuses, by a warning that is an error, a value without a description of its own: the program
    /// has no names of its cases and fields (see `unreflected` in Package.swift).
    @available(*, deprecated, message: "interpolate a description, a raw value or text(of:)")
    package mutating func appendInterpolation<Value>(_ value: Value) {
      appendLiteral(String(describing: value))
    }
  }
#endif

/// Files, of any format.
extension RSSIError {
  /// Creates the error of a file that could not be opened, from the system's error number.
  public static func opening(_ path: String, _ number: Int32) -> RSSIError {
    switch number {
    case ENOENT, ENOTDIR: notFound(path: path)
    case EISDIR: isDirectory(path: path)
    case EACCES, EPERM: permissionDenied(path: path)
    default: readFailed(path: path, reason: systemMessage(number))
    }
  }

  /// Creates the error of a file that does not exist.
  public static func notFound(path: String) -> RSSIError {
    RSSIError(.noInput, "no such file", in: path, advice: "check the name")
  }

  /// Creates the error of a directory where a file is expected.
  public static func isDirectory(path: String) -> RSSIError {
    RSSIError(.noInput, "this is a directory", in: path, advice: "name the files in it")
  }

  /// Creates the error of a pipe or a device, which may never end.
  public static func notAFile(path: String) -> RSSIError {
    RSSIError(.noInput, "this is a pipe or a device", in: path, advice: "name a regular file")
  }

  /// Creates the error of a file that may not be opened.
  public static func permissionDenied(path: String) -> RSSIError {
    RSSIError(
      .permission, "permission denied", in: path, advice: "change its mode or its owner")
  }

  /// Creates the error of a file without content.
  public static func empty(path: String) -> RSSIError {
    RSSIError(
      .badInput, "the file is empty", in: path,
      advice: "check that the recording program was not stopped before it wrote")
  }

  /// Creates the error of a file that cannot be read, with the reason.
  public static func readFailed(path: String, reason: String) -> RSSIError {
    RSSIError(.inputOutput, "cannot read: \(reason)", in: path, advice: "check the disk")
  }

  /// Creates the error of a file that cannot be written, with the reason.
  public static func writeFailed(path: String, reason: String) -> RSSIError {
    RSSIError(
      .inputOutput, "cannot write: \(reason)", in: path,
      advice: "check that its folder exists and is writable")
  }

  /// Creates the error of a file on a full disk.
  public static func diskFull(path: String) -> RSSIError {
    RSSIError(.inputOutput, "the disk is full", in: path, advice: "free some space and run again")
  }

  /// The error of an output whose reader has ended.
  public static let closedPipe = RSSIError(
    .closedPipe, "the program that reads the output has ended")
}

/// Returns the system's message for an error number.
public func systemMessage(_ number: Int32) -> String { String(cString: strerror(number)) }
