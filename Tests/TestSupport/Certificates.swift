import Testing

/// An authority, and the certificate and key of a server that it vouches for, as files.
public struct Certificates {
  public let authority: String
  public let certificate: String
  public let key: String

  /// - Parameters:
  ///   - name: whom the certificate is for, as `IP:ADDRESS` or `DNS:NAME`.
  public init(for name: String = "IP:127.0.0.1", in directory: TemporaryDirectory) throws {
    let authorityKey = directory.path("ca.key")
    authority = directory.path("ca.pem")
    (certificate, key) = (directory.path("server.pem"), directory.path("server.key"))
    let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    for arguments in [
      ["req", "-x509", "-subj", "/CN=rssi test"] + newKey
        + ["-keyout", authorityKey, "-out", authority],
      ["req", "-x509", "-subj", "/CN=server", "-addext", "subjectAltName=\(name)"] + newKey
        + ["-CA", authority, "-CAkey", authorityKey, "-keyout", key, "-out", certificate],
    ] {
      let result = try runProgram("/usr/bin/openssl", arguments)
      try #require(result.exitCode == 0, "\(result.error)")
    }
  }
}
