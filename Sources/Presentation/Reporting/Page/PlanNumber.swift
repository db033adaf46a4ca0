import Geometry
import Positioning
import RealModule
import Support

/// Numbers of a floor plan as whole ones.
enum PlanNumber {
  /// To the nearest, and no farther than can be drawn: 10,000 km in centimetres.
  static func whole(_ value: Double) -> Int {
    value.isNaN ? 0 : Int(min(max(value, -1e9), 1e9).rounded(.toNearestOrAwayFromZero))
  }

  static func centimetres(_ metres: Double) -> Int { whole(metres * 100) }

  /// Standard deviations along the axes in centimetres, and the longer one's direction; without
  /// them the first is -1 minus the reason's number.
  static func ellipse(_ uncertainty: Uncertainty) -> (major: Int, minor: Int, degrees: Int) {
    switch uncertainty {
    case .covariance(let covariance):
      guard let ellipse = ErrorEllipse(covariance) else { return (0, 0, 0) }
      return (
        centimetres(ellipse.semiMajor), centimetres(ellipse.semiMinor),
        whole(ellipse.angle * 180 / .pi)
      )
    case .unavailable(let reason):
      return (-1 - (Uncertainty.Reason.allCases.firstIndex(of: reason) ?? 0), 0, 0)
    }
  }
}

/// A place on the floor plan, as the part of an address behind the page's name.
struct PlanAddress {
  var trace: String
  var algorithm: String
  /// Counted from 1.
  var epoch: Int

  var fragment: String {
    "#trace=\(Self.encoded(trace))&algorithm=\(Self.encoded(algorithm))&epoch=\(epoch)"
  }

  /// Percent-encoded UTF-8, as `encodeURIComponent` writes it (RFC 3986, unreserved characters).
  private static func encoded(_ text: String) -> String {
    text.utf8.reduce(into: "") { result, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."),
        UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        result += "%" + hexadecimal([byte], uppercase: true)
      }
    }
  }
}
