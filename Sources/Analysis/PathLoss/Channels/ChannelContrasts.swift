/// How offsets of channels are written by coefficients that nothing constrains.
///
/// The offsets of a receiver, or of a beacon, sum to 0 over the channels. Where both have offsets,
/// those of the beacons also sum to 0 over the beacons on each channel, for what all of them have
/// in common is the receivers'. Without this, the offsets were not determined.
struct ChannelContrasts {
  let channels: [UInt8]
  let receivers: [String]
  let beacons: [String]
  private let receiverNumbers: [String: Int]
  private let beaconNumbers: [String: Int]
  /// Whether beacons are measured from their mean.
  private let isRelative: Bool

  init(channels: [UInt8], receivers: [String], beacons: [String]) {
    (self.channels, self.receivers) = (channels, receivers)
    // One beacon alone is its own mean.
    self.beacons = receivers.isEmpty || beacons.count > 1 ? beacons : []
    receiverNumbers = numbers(receivers)
    beaconNumbers = numbers(self.beacons)
    isRelative = !receivers.isEmpty
  }

  /// Coefficients of one device.
  private var width: Int { channels.count - 1 }
  /// Devices with coefficients of their own.
  private var beaconBlocks: Int { isRelative ? max(0, beacons.count - 1) : beacons.count }
  /// Coefficients.
  var count: Int { width * (receivers.count + beaconBlocks) }

  /// An offset of a link as a combination of the coefficients.
  func combination(beacon: String?, receiver: String?, channel: UInt8) -> [Double] {
    var row = [Double](repeating: 0, count: count)
    guard let place = channels.firstIndex(of: channel) else { return row }
    func add(_ block: Int, _ sign: Double) {
      if place < width {
        row[block * width + place] += sign
      } else {
        for one in 0..<width { row[block * width + one] -= sign }
      }
    }
    if let number = receiver.flatMap({ receiverNumbers[$0] }) { add(number, 1) }
    if let number = beacon.flatMap({ beaconNumbers[$0] }) {
      if number < beaconBlocks {
        add(receivers.count + number, 1)
      } else {
        for block in 0..<beaconBlocks { add(receivers.count + block, -1) }
      }
    }
    return row
  }
}
