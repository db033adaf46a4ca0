import Advertising
import Capture
import Filtering
import Glibc
import Plotting
import Recordings
import Registries
import Sightings
import Simulation
import Sites
import TraceStore

/// What ends the program: one sentence and an exit code that scripts rely on.
struct Failure: Error {
  var exitCode: Int32
  var message: String

  static let failed: Int32 = 1
  static let usage: Int32 = 64
  static let badInput: Int32 = 65
  static let noInput: Int32 = 66
  static let unavailable: Int32 = 69
  static let inputOutput: Int32 = 74
  static let noPermission: Int32 = 77

  init(_ exitCode: Int32, _ message: String) {
    self.exitCode = exitCode
    self.message = message
  }

  /// The failure that an error of a module means, or nil for an error of the argument parser.
  init?(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as TraceError: self.init(Self.code(error.kind), error.description)
    case RecordingError.closedPipe: self.init(0, "")
    case let error as RecordingError: self.init(Self.code(error), error.description)
    case let error as CaptureError: self.init(Self.code(error.kind), error.description)
    case let error as FrameRefusal: self.init(Self.usage, error.description)
    case let error as IntakeLimit: self.init(Self.badInput, error.description)
    case let error as FilterSpecification.Malformed: self.init(Self.usage, error.description)
    case let error as PlottingError: self.init(Self.code(error.kind), error.description)
    case let error as SiteError: self.init(Self.code(error), error.description)
    case let error as RegistryError: self.init(Self.code(error.kind), error.description)
    case let error as SimulationError: self.init(Self.usage, error.description)
    case is EncodingError:
      self.init(Self.failed, "cannot write JSON: a figure is not a finite number")
    default: return nil
    }
  }

  private static func code(_ kind: TraceError.Kind) -> Int32 {
    switch kind {
    case .noInput: noInput
    case .badInput: badInput
    case .inputOutput: inputOutput
    case .permission: noPermission
    case .failed: failed
    }
  }

  private static func code(_ kind: PlottingError.Kind) -> Int32 {
    switch kind {
    case .usage: usage
    case .unavailable: unavailable
    case .inputOutput: inputOutput
    case .permission: noPermission
    case .failed: failed
    }
  }

  private static func code(_ kind: RegistryError.Kind) -> Int32 {
    switch kind {
    case .usage: usage
    case .badInput: badInput
    case .unavailable: unavailable
    }
  }

  private static func code(_ error: SiteError) -> Int32 {
    switch error {
    case .notFound, .isDirectory: noInput
    case .permissionDenied: noPermission
    case .readFailed: inputOutput
    case .tooLong, .badSite, .badPosition: badInput
    }
  }

  private static func code(_ kind: CaptureError.Kind) -> Int32 {
    switch kind {
    case .usage: usage
    case .unavailable, .protocolViolation: unavailable
    case .permission: noPermission
    }
  }

  private static func code(_ error: RecordingError) -> Int32 {
    switch error {
    case .notFound, .isDirectory, .notAFile: noInput
    case .permissionDenied: noPermission
    case .empty, .wrongFormat, .unsupportedVersion, .unsupportedDatalink, .unreadableCapture,
      .mixedCapture, .badTable:
      badInput
    case .readFailed, .writeFailed, .diskFull: inputOutput
    case .closedPipe: 0
    }
  }

  /// Writes on standard error what failed; a closed pipe is not a failure.
  func report() {
    if !message.isEmpty { StandardError.write(line: "rssi: \(message)") }
  }
}
