import Support

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
