import Advertising
import Sightings

/// The figures of one device while sightings are read.
struct DeviceFigures: Codable, Equatable, Sendable {
  let id: String
  private(set) var kind: String
  private(set) var sightings = 0
  private(set) var first = Int64.max
  private(set) var last = Int64.min
  private(set) var levels = LevelDistribution()
  /// One bit per channel.
  private var channelBits: UInt64 = 0
  /// Sightings that followed another, and the nanoseconds from the first to the last of each span.
  private var intervals = 0
  private var nanoseconds: UInt64 = 0

  private var completeName = Newest<String>()
  private var shortenedName = Newest<String>()
  private var stated1m = Newest<Int8>()
  private var transmitted = Newest<Int8>()
  private var companyData = Newest<UInt16>()
  /// The name in the file in which it was received last.
  private var fileName = Newest<String>()
  private var filePower = Newest<Float>()
  private var address = Newest<UInt64>()
  /// The addresses that sent it, ascending, if its identity is not an address; incomplete if there
  /// are more than a device that rotates addresses has in a week.
  private(set) var addresses: [UInt64] = []
  private static let mostAddresses = 1024

  init(id: String, kind: String) { (self.id, self.kind) = (id, kind) }

  mutating func add(time: Int64, level: Float, channel: UInt8) {
    sightings += 1
    first = min(first, time)
    last = max(last, time)
    if !level.isNaN { levels.add(level) }
    if channel < 40 { channelBits |= 1 << UInt64(channel) }
  }

  /// Takes the description in an advertisement of this time.
  mutating func learn(_ description: DeviceDescription, at time: Int64) {
    if let name = description.name {
      if name.isComplete {
        completeName.take(name.text, at: time)
      } else {
        shortenedName.take(name.text, at: time)
      }
    }
    if let company = description.company { companyData.take(company, at: time) }
    if let power = description.measuredPower { stated1m.take(power, at: time) }
    if let power = description.txPower { transmitted.take(power, at: time) }
  }

  /// Takes the transmitted power of an extended advertisement.
  mutating func learn(txPower: Int8, at time: Int64) { transmitted.take(txPower, at: time) }

  /// Takes the name and the power in the tables of a file, after all of its sightings.
  mutating func learn(name: String, measuredPower: Float, sender: UInt64?) {
    if !name.isEmpty { fileName.take(name, at: last) }
    if measuredPower.isFinite { filePower.take(measuredPower, at: last) }
    if let sender { address.take(sender, at: last) }
  }

  /// Takes an address that sent it.
  mutating func take(sender: UInt64) {
    var (place, end) = (0, addresses.count)
    while place < end {
      let middle = (place + end) / 2
      if addresses[middle] < sender { place = middle + 1 } else { end = middle }
    }
    if place < addresses.count, addresses[place] == sender { return }
    addresses.insert(sender, at: place)
    // The lowest remain, in whatever order they come.
    if addresses.count > Self.mostAddresses { addresses.removeLast() }
  }

  mutating func end(_ span: SightingSpan) {
    intervals += span.count - 1
    extend(by: UInt64(bitPattern: span.last &- span.first))
  }

  /// Adds a duration; files may hold any times, and whole numbers have one sum in any order.
  private mutating func extend(by duration: UInt64) {
    let (sum, isBeyond) = nanoseconds.addingReportingOverflow(duration)
    nanoseconds = isBeyond ? .max : sum
  }

  /// Adds the figures of other files; the order of files does not matter.
  mutating func merge(_ other: DeviceFigures) {
    kind = min(kind, other.kind)
    sightings += other.sightings
    first = min(first, other.first)
    last = max(last, other.last)
    levels.merge(other.levels)
    channelBits |= other.channelBits
    intervals += other.intervals
    extend(by: other.nanoseconds)
    completeName.merge(other.completeName)
    shortenedName.merge(other.shortenedName)
    stated1m.merge(other.stated1m)
    transmitted.merge(other.transmitted)
    companyData.merge(other.companyData)
    fileName.merge(other.fileName)
    filePower.merge(other.filePower)
    address.merge(other.address)
    for sender in other.addresses { take(sender: sender) }
  }

  /// A Boolean value that is true if no sum of figures like these overflows: a file of figures may
  /// hold any numbers.
  var isSound: Bool {
    (0..<1 << 36).contains(sightings) && (0..<1 << 36).contains(intervals) && levels.isSound
      && levels.count <= sightings
  }

  /// The newest name that a trace gives it.
  var nameInTrace: String? { fileName.value }
  /// The address that sent it last.
  var sender: UInt64? { address.value }

  var advertisedName: String? { completeName.value ?? shortenedName.value }
  var company: UInt16? { companyData.value }
  /// Sightings per second; nil if all may be of one advertising event, on three channels and with
  /// its scan response: events are at least 20 ms apart.
  var rate: Double? {
    nanoseconds >= 20_000_000 ? Double(intervals) / (Double(nanoseconds) / 1e9) : nil
  }
  var channels: [Int] { (0..<40).filter { channelBits >> UInt64($0) & 1 == 1 } }
  var statedPower: Double? {
    if let power = stated1m.value ?? transmitted.value { return Double(power) }
    return filePower.value.map(Double.init)
  }
}

/// The sightings of one device in one trace of one file.
struct SightingSpan {
  let trace: UInt16
  private(set) var count = 0
  private(set) var first = Int64.max
  private(set) var last = Int64.min

  init(trace: UInt16) { self.trace = trace }

  mutating func add(_ time: Int64) {
    count += 1
    first = min(first, time)
    last = max(last, time)
  }
}

/// The value of the latest time.
private struct Newest<Value: Codable & Comparable & Sendable>: Codable, Equatable, Sendable {
  private(set) var value: Value?
  private var time = Int64.min

  /// Takes a value that comes after those before it.
  mutating func take(_ value: Value, at time: Int64) {
    guard self.value == nil || time >= self.time else { return }
    (self.value, self.time) = (value, time)
  }

  /// Takes the value of other files; of two at one time the greater one, in whatever order.
  mutating func merge(_ other: Newest) {
    guard let theirs = other.value else { return }
    guard let own = value, (time, own) >= (other.time, theirs) else {
      self = other
      return
    }
  }
}
