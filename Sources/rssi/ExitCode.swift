import Support

extension RSSIError {
  /// The error that ends the program: nil for an error of the argument parser.
  init?(_ error: any Error) {
    switch error {
    case let error as RSSIError: self = error
    case is EncodingError:
      self.init(.failed, "cannot write JSON: a figure is not a finite number")
    default: return nil
    }
  }

  /// The exit code that scripts rely on.
  var exitCode: Int32 {
    switch kind {
    case .closedPipe: 0
    case .failed: 1
    case .usage: 64
    case .badInput: 65
    case .noInput: 66
    case .unavailable, .protocolViolation: 69
    case .inputOutput: 74
    case .permission: 77
    }
  }

  /// Writes on standard error what failed; a closed pipe is not a failure.
  func report() {
    if kind != .closedPipe { StandardError.write(line: "rssi: \(self)".namingOptions) }
  }
}
