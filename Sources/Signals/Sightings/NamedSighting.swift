/// One advertising report with its level, and the names of its beacon, its receiver and its trace.
///
/// A ``Sighting`` has numbers instead, for use in stages. This form is for programs that read some
/// sightings.
public struct NamedSighting: Hashable, Sendable {
  /// The time of reception.
  public var time: Timestamp
  /// The beacon's identity, such as `ibeacon:UUID:1:2` or an address.
  public var beacon: String
  /// The name of the receiver.
  public var receiver: String
  /// The name of its continuous recording.
  public var trace: String
  /// The level, in dBm; `nil` if the source gave none.
  public var rssi: Double?
  /// The advertising channel, 37 to 39; `nil` if it is unknown.
  public var channel: UInt8?

  /// Creates a sighting.
  public init(
    time: Timestamp, beacon: String, receiver: String, trace: String = "", rssi: Double?,
    channel: UInt8? = nil
  ) {
    self.time = time
    self.beacon = beacon
    self.receiver = receiver
    self.trace = trace
    self.rssi = rssi
    self.channel = channel
  }

  /// Creates the sighting of a row.
  ///
  /// - Parameters:
  ///   - rows: The rows with times, links and levels, and channels if they are known.
  ///   - catalogue: The tables to which the rows refer.
  package init(_ rows: borrowing SightingColumns, _ row: Int, in catalogue: Catalogue) {
    let channel = rows.channel.isEmpty ? 255 : rows.channel[row]
    self.init(
      time: Timestamp(nanoseconds: rows.time[row]),
      beacon: catalogue.beacons[Int(rows.beacon[row])].id,
      receiver: catalogue.receivers[Int(rows.receiver[row])].id,
      trace: catalogue.traces[Int(rows.trace[row])],
      rssi: rows.rssi[row].isNaN ? nil : Double(rows.rssi[row]),
      channel: (37...39).contains(channel) ? channel : nil)
  }
}
