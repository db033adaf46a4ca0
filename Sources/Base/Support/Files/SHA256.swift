internal import CCrypto

/// The SHA-256 digest (FIPS 180-4) of bytes that arrive in parts.
package struct SHA256: ~Copyable {
  private let context: OpaquePointer

  package init() {
    Self.keepLibraryAtExit()
    guard let context = EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
    self.context = context
    check(EVP_DigestInit_ex(context, EVP_sha256(), nil))
  }

  /// Keeps libcrypto from freeing shared data at exit, which crashes threads that still compute a
  /// digest; it must run before the library is initialised.
  package static func keepLibraryAtExit() {
    OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
  }

  deinit { EVP_MD_CTX_free(context) }

  package mutating func update(_ bytes: Span<UInt8>) {
    bytes.withUnsafeBytes { check(EVP_DigestUpdate(context, $0.baseAddress, $0.count)) }
  }

  /// Returns the digest of all bytes, in 64 hexadecimal digits.
  package consuming func hexadecimalDigest() -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    check(EVP_DigestFinal_ex(context, &digest, nil))
    return hexadecimal(digest)
  }

  /// These calls fail only if the library lacks SHA-256, which no system does.
  private func check(_ result: Int32) {
    precondition(result == 1, "libcrypto has no SHA-256")
  }
}

/// Returns the SHA-256 digest of bytes, in 64 hexadecimal digits.
package func sha256(_ bytes: Span<UInt8>) -> String {
  var hash = SHA256()
  hash.update(bytes)
  return hash.hexadecimalDigest()
}
