/// More different things than a trace has numbers for.
public enum IntakeLimit: Error, Equatable, Sendable, CustomStringConvertible {
  case receivers
  case traces

  public var description: String {
    switch self {
    case .receivers: "more than 65,535 receivers in one trace file: import them into several files"
    case .traces: "more than 65,535 traces in one trace file: import them into several files"
    }
  }
}
