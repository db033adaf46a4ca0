internal import Glibc
package import Support

/// What an error of a Bluetooth socket means for the user, and what to do.
///
/// - Parameters:
///   - number: the system's error number.
///   - subject: what failed, such as `hci0 cannot be brought up`.
func socketError(_ number: Int32, _ subject: String) -> RSSIError {
  switch number {
  case EPERM, EACCES: permissionError(subject)
  case EAFNOSUPPORT, EPROTONOSUPPORT, ESOCKTNOSUPPORT:
    RSSIError(
      .unavailable,
      "no Bluetooth: the kernel has none, or this container has a network of its own",
      advice: "run `modprobe bluetooth`, or the container in the host's network; else use h4:…, "
        + "mqtt:… or replay:…")
  case ERFKILL:
    RSSIError(
      .unavailable, "it is switched off by rfkill", in: subject,
      advice: "run `rfkill unblock bluetooth`")
  case EBUSY, EUSERS:
    RSSIError(
      .unavailable, "another program uses it", in: subject,
      advice: "end that program or stop bluetoothd (`systemctl stop bluetooth`)")
  case ENODEV, EPIPE:
    RSSIError(.unavailable, "it is gone", in: subject, advice: "plug it in again")
  default:
    RSSIError(
      .unavailable, systemMessage(number), in: subject,
      advice: "see `dmesg | grep -i bluetooth`")
  }
}

/// What to do about a lack of privileges: one command, with this program's own path.
package func permissionError(_ subject: String) -> RSSIError {
  RSSIError(
    .permission, "not permitted", in: subject,
    advice: "run `sudo setcap cap_net_raw,cap_net_admin+ep \(programPath)` once, or use the "
      + "systemd unit in docs/capture-linux.md")
}

/// Where this program's file is.
private var programPath: String {
  var path = [CChar](repeating: 0, count: Int(PATH_MAX))
  let length = readlink("/proc/self/exe", &path, path.count - 1)
  guard length > 0 else { return CommandLine.arguments.first ?? "rssi" }
  return String(decoding: path[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
