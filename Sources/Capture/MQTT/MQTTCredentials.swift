internal import Foundation

/// Who a capture is to the broker; the password never leaves this and the connection.
struct MQTTCredentials {
  var userName: String?
  var password: String?

  /// - Throws: `CaptureError` where the password cannot be read or has no user.
  init(
    address: MQTTAddress, options: MQTTOptions, environment: [String: String]
  ) throws(CaptureError) {
    userName = options.userName ?? address.user
    if let path = options.passwordFile {
      password = try Self.firstLine(of: path)
    } else {
      password = environment["RSSI_MQTT_PASSWORD"]
    }
    guard password == nil || userName != nil else {
      throw .usage("there is a password for the broker but no user: name one, as in mqtt://USER@…")
    }
  }

  private static func firstLine(of path: String) throws(CaptureError) -> String {
    let data: Data
    do {
      data = try Data(contentsOf: URL(filePath: path))
    } catch {
      throw CaptureError(
        FileManager.default.fileExists(atPath: path) ? .permission : .usage,
        "cannot read the password file \(path): \(error.localizedDescription)")
    }
    let line = data.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    guard !line.isEmpty, let text = String(data: Data(line), encoding: .utf8),
      !text.contains("\0")
    else {
      throw .usage("the first line of the password file \(path) is no password")
    }
    return text
  }
}
