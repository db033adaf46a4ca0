/// An Eddystone-URL frame: a web address, compressed.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 2 | service UUID, AA FE |
/// | 2 | 1 | 0x10 |
/// | 3 | 1 | power at 0 m in dBm, signed |
/// | 4 | 1 | scheme, 0 to 3 |
/// | 5 | 1 to 17 | ASCII 0x21 to 0x7E, and expansions 0x00 to 0x0D |
///
/// Source: github.com/google/eddystone, eddystone-url.
public struct EddystoneURL: Hashable, Sendable {
  /// The web address, expanded.
  public let url: String
  /// The power at 0 m, in dBm.
  public var power0m: Int8
  /// The RSSI at 1 m, in dBm; `nil` if the power in the frame is implausible.
  public var measuredPower: Int8? { Eddystone.measuredPower(power0m) }

  /// The reason why a web address does not fit into a frame.
  public enum Refusal: Error, Equatable, Sendable, CustomStringConvertible {
    /// The address has a character other than printable ASCII.
    case character
    /// The address does not start with http:// or https:// and a host.
    case scheme
    /// The address is too long, with its number of compressed bytes.
    case length(Int)

    public var description: String {
      switch self {
      case .character: "only printable ASCII characters are allowed; write others as %XX or xn--"
      case .scheme: "the URL must start with http:// or https:// and a host"
      case .length(let count):
        "the URL takes \(count) bytes after its scheme (at most 17); shorten it"
      }
    }
  }

  /// Creates a frame of a web address, or returns `nil` if the address does not fit.
  public init?(url: String, power0m: Int8) { try? self.init(encoding: url, power0m: power0m) }

  /// Creates a frame of a web address; the power is in dBm at 0 m.
  ///
  /// - Throws: The reason why the address does not fit.
  public init(encoding url: String, power0m: Int8) throws(Refusal) {
    _ = try Self.compress(url)
    self.url = url
    self.power0m = power0m
  }

  /// Decodes service data, or returns `nil` for anything else.
  public init?(serviceData data: Span<UInt8>) {
    guard Eddystone.isFrame(data, type: 0x10) else { return nil }
    guard (6...22).contains(data.count) else { return nil }
    guard data[4] < Self.schemes.count else { return nil }
    var text = Self.schemes[Int(data[4])]
    for index in 5..<data.count {
      switch data[index] {
      case 0x00..<0x0E: text += Self.expansions[Int(data[index])]
      case 0x21...0x7E: text.unicodeScalars.append(Unicode.Scalar(data[index]))
      default: return nil
      }
    }
    url = text
    power0m = Int8(bitPattern: data[3])
  }

  /// The advertising data of the frame.
  public var advertisingData: [UInt8] {
    Eddystone.advertisingData(
      [0x10, UInt8(bitPattern: power0m)] + ((try? Self.compress(url)) ?? []))
  }

  private static let schemes = ["http://www.", "https://www.", "http://", "https://"]
  private static let expansions =
    [".com/", ".org/", ".edu/", ".net/", ".info/", ".biz/", ".gov/"]
    + [".com", ".org", ".edu", ".net", ".info", ".biz", ".gov"]

  /// Returns the scheme and the compressed rest of a web address, as short as possible: no
  /// expansion starts within another, and longer ones are matched first.
  private static func compress(_ url: String) throws(Refusal) -> [UInt8] {
    guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .character }
    let scheme = schemes.firstIndex { url.hasPrefix($0) && url.utf8.count > $0.utf8.count }
    guard let scheme else { throw .scheme }
    var bytes = [UInt8(scheme)]
    var rest = url.dropFirst(schemes[scheme].count)
    while let first = rest.utf8.first {
      if let expansion = expansions.firstIndex(where: { rest.hasPrefix($0) }) {
        bytes.append(UInt8(expansion))
        rest = rest.dropFirst(expansions[expansion].count)
      } else {
        bytes.append(first)
        rest = rest.dropFirst()
      }
    }
    guard bytes.count <= 18 else { throw .length(bytes.count - 1) }
    return bytes
  }
}
