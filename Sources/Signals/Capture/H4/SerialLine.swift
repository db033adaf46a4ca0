import Glibc
import Support

/// A serial line to a controller: 8 data bits, no parity, 1 stop bit, RTS/CTS, raw bytes.
enum SerialLine {
  /// Opens a line.
  ///
  /// - Throws: `.unavailable` for a line that is missing or busy, `.permission`.
  static func open(_ path: String) throws(RSSIError) -> Descriptor {
    let number = Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { throw failure(path, errno) }
    let line = Descriptor(number)
    // Two readers would each get a part of the bytes; root can open a line in spite of TIOCEXCL.
    guard flock(number, LOCK_EX | LOCK_NB) == 0 else { throw failure(path, EBUSY) }
    return line
  }

  /// Configures an open line.
  ///
  /// - Returns: its former settings.
  /// - Throws: `.usage` if it is not a serial line or does not support the speed.
  static func configure(
    _ line: Descriptor, path: String, baud: Int
  ) throws(RSSIError) -> termios {
    var settings = termios()
    guard tcgetattr(line.number, &settings) == 0 else {
      throw RSSIError(
        .usage, "\(path) is not a serial line; give that of a controller, such as /dev/ttyACM0")
    }
    let before = settings
    cfmakeraw(&settings)
    settings.c_cflag |= tcflag_t(CLOCAL | CREAD) | tcflag_t(CRTSCTS)
    settings.c_cflag &= ~tcflag_t(CSTOPB | PARENB)
    // At least one byte, so that a line without input differs from one that hung up.
    withUnsafeMutableBytes(of: &settings.c_cc) {
      $0[Int(VMIN)] = 1
      $0[Int(VTIME)] = 0
    }
    guard cfsetspeed(&settings, speed(baud)) == 0,
      tcsetattr(line.number, TCSANOW, &settings) == 0
    else {
      throw RSSIError(.usage, "\(path) cannot run at \(baud) baud; give another speed")
    }
    _ = tcflush(line.number, TCIOFLUSH)
    return before
  }

  /// Restores the former settings of a line.
  static func restore(_ line: Descriptor, to before: termios) {
    var before = before
    _ = tcsetattr(line.number, TCSANOW, &before)
  }

  /// Returns the constant of a speed; Linux numbers them in this order, see termios(3).
  private static func speed(_ baud: Int) -> speed_t {
    switch baud {
    case 9600: speed_t(B9600)
    case 19200: speed_t(B19200)
    case 38400: speed_t(B38400)
    case 57600: speed_t(B57600)
    case 230_400: speed_t(B230400)
    case 460_800: speed_t(B460800)
    case 500_000: speed_t(B500000)
    case 576_000: speed_t(B576000)
    case 921_600: speed_t(B921600)
    case 1_000_000: speed_t(B1000000)
    case 1_152_000: speed_t(B1152000)
    case 1_500_000: speed_t(B1500000)
    case 2_000_000: speed_t(B2000000)
    case 2_500_000: speed_t(B2500000)
    case 3_000_000: speed_t(B3000000)
    case 3_500_000: speed_t(B3500000)
    case 4_000_000: speed_t(B4000000)
    default: speed_t(B115200)
    }
  }

  private static func failure(_ path: String, _ number: Int32) -> RSSIError {
    switch number {
    case ENOENT, ENXIO, ENODEV, ENOTDIR:
      let lines = present
      let what = lines.isEmpty ? "there is no other" : "there are \(lines.joined(separator: ", "))"
      return RSSIError(.unavailable, "there is no controller at \(path): \(what); plug it in")
    case EACCES, EPERM:
      return RSSIError(
        .permission,
        "permission denied for \(path); run: sudo usermod -aG dialout $USER, and log in again")
    case EBUSY:
      return RSSIError(
        .unavailable, "\(path) is used by another program, such as ModemManager; stop that one")
    default:
      return RSSIError(.unavailable, "\(path) cannot be opened: \(systemMessage(number))")
    }
  }

  /// The serial lines of connected USB devices.
  private static var present: [String] {
    entries(ofFolder: "/dev").filter { $0.hasPrefix("ttyACM") || $0.hasPrefix("ttyUSB") }.sorted()
      .map { "/dev/\($0)" }
  }
}
