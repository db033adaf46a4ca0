/// Bytes as hexadecimal digits, two a byte.
package func hexadecimal(
  _ bytes: some Sequence<UInt8>, uppercase: Bool = false, separator: String = ""
) -> String {
  bytes.map { byte in
    (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: uppercase)
  }.joined(separator: separator)
}
