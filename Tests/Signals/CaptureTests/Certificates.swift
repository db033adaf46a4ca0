import TestSupport
import Testing

/// An authority, and a key for 127.0.0.1 that it vouches for.
func certificates(
  in directory: TemporaryDirectory
) throws -> (authority: String, certificate: String, key: String) {
  let (ca, caKey) = (directory.path("ca.pem"), directory.path("ca.key"))
  let (certificate, key) = (directory.path("server.pem"), directory.path("server.key"))
  let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
  for arguments in [
    ["req", "-x509", "-subj", "/CN=rssi test"] + newKey + ["-keyout", caKey, "-out", ca],
    ["req", "-x509", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"] + newKey
      + ["-CA", ca, "-CAkey", caKey, "-keyout", key, "-out", certificate],
  ] {
    let result = try runProgram("/usr/bin/openssl", arguments)
    try #require(result.exitCode == 0, "\(result.error)")
  }
  return (ca, certificate, key)
}
