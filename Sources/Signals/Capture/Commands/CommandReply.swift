/// A controller's answer to a command.
///
/// Command Complete (0x0E): number of commands allowed(1) opcode(2) status(1) return parameters.
/// Command Status (0x0F): status(1) number of commands allowed(1) opcode(2); it refuses a command,
/// or states that the answer follows.
///
/// Source: Bluetooth Core Specification 5.4, volume 4, part E, sections 7.7.14 and 7.7.15.
struct CommandReply: Equatable {
  var opcode: Opcode
  var status: HCIStatus
  /// What follows the status.
  var parameters: [UInt8]
  /// False where the command is only under way.
  var isFinal: Bool

  /// The answer in an event, nil where it is not an answer or is cut short.
  init?(event: Span<UInt8>) {
    guard event.count >= 6 else { return nil }
    switch event[0] {
    case 0x0E:
      opcode = Opcode(rawValue: UInt16(event[3]) | UInt16(event[4]) << 8)
      status = HCIStatus(rawValue: event[5])
      parameters = (6..<event.count).map { event[$0] }
      isFinal = true
    case 0x0F:
      opcode = Opcode(rawValue: UInt16(event[4]) | UInt16(event[5]) << 8)
      status = HCIStatus(rawValue: event[2])
      parameters = []
      isFinal = status != .success
    default: return nil
    }
  }
}
