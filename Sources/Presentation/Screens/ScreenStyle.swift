import Proximity

/// What a character is, from which follows how it looks.
package enum ScreenStyle: Equatable, Sendable {
  case plain, strong, quiet, heading
  case immediate, near, far
  case warm, cold, alarm

  init(_ zone: Zone) {
    switch zone {
    case .immediate: self = .immediate
    case .near: self = .near
    case .far: self = .far
    case .unknown: self = .quiet
    }
  }

  /// The parameters of SGR (ECMA-48, 8.3.117): of the 16 colours only those that can be read both
  /// on a dark and on a light terminal, and no background but by inversion.
  package func code(isColoured: Bool) -> String {
    switch self {
    case .plain: "0"
    case .strong: "0;1"
    case .quiet: "0;2"
    case .heading: "0;7"
    case .immediate: isColoured ? "0;1;32" : "0;1"
    case .near: isColoured ? "0;36" : "0"
    case .far: isColoured ? "0;35" : "0"
    case .warm: isColoured ? "0;1;31" : "0;1"
    case .cold: isColoured ? "0;1;36" : "0"
    case .alarm: isColoured ? "0;1;7;31" : "0;1;7"
    }
  }
}
