/// The ADV_EXT_IND of late, which show where an advertisement follows and maybe who sends it.
///
/// Bounded: 64 of them, each for as long as the PDU it points to can be away, 8191 times 300 µs.
struct ExtendedPointers: Sendable {
  static let capacity = 64
  static let patience: Int64 = 2_500_000_000

  /// What one of them states.
  struct Pointer: Sendable {
    var time: Int64
    var dataInformation: UInt16
    /// The channel of the PDU it points to.
    var channel: UInt8
    var address: DeviceAddress?
    var phy: UInt8
    var txPower: Int8?
  }

  private var pointers: [Pointer] = []

  /// Keeps one, in place of an earlier one of the same advertisement or else of the oldest.
  mutating func insert(_ pointer: Pointer) {
    if let index = pointers.firstIndex(where: { $0.dataInformation == pointer.dataInformation }) {
      pointers.remove(at: index)
    } else if pointers.count == Self.capacity {
      pointers.removeFirst()
    }
    pointers.append(pointer)
  }

  /// Whether one that came after a time points to a PDU.
  func hasPointer(to dataInformation: UInt16, channel: UInt8, after time: Int64) -> Bool {
    pointers.contains {
      $0.dataInformation == dataInformation && (channel == 255 || channel == $0.channel)
        && $0.time > time
    }
  }

  /// The one that points to a PDU.
  ///
  /// - Parameter channel: the PDU's channel, 255 where it is not known.
  func pointer(to dataInformation: UInt16?, channel: UInt8, time: Int64) -> Pointer? {
    pointers.last {
      let age = time.subtractingReportingOverflow($0.time)
      return $0.dataInformation == dataInformation && (channel == 255 || channel == $0.channel)
        && !age.overflow && (0...Self.patience).contains(age.partialValue)
    }
  }
}
