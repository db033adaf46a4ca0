/// Why a room cannot be simulated.
public enum SimulationError: Error, Equatable, Sendable {
  /// A parameter has no meaning at this value.
  case outOfRange(parameter: String, value: Double, allowed: String)
}

extension SimulationError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .outOfRange(let parameter, let value, let allowed):
      "the simulation cannot use \(parameter) = \(value); choose \(allowed)"
    }
  }
}
