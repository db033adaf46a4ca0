/// The incomplete extended advertisements, least recently used first.
///
/// Bounded to 64 advertisements of 1650 bytes, each for two seconds; a controller sends the
/// fragments of one advertisement within milliseconds, with the same address, set identifier and
/// event type.
struct PendingFragments: Sendable {
  static let capacity = 64
  /// The time in nanoseconds after which a fragment no longer belongs to the previous one.
  static let patience: Int64 = 2_000_000_000

  private var sets: [FragmentSet] = []

  var isEmpty: Bool { sets.isEmpty }
  var isFull: Bool { sets.count >= Self.capacity }

  /// Adds a set whose latest fragment came at a time; the caller makes room first.
  mutating func insert(_ set: FragmentSet, at time: Int64) {
    sets.append(set)
    sets[sets.count - 1].latest = time
  }

  /// Removes and returns the set that a fragment continues.
  mutating func remove(matching fragment: AdvertisingReport) -> FragmentSet? {
    removeFirst { $0.isContinued(by: fragment) }
  }

  /// Removes and returns the first set that satisfies a predicate.
  mutating func removeFirst(where isWanted: (FragmentSet) -> Bool) -> FragmentSet? {
    sets.firstIndex(where: isWanted).map { sets.remove(at: $0) }
  }

  /// Removes and returns a set whose next fragment is overdue, also after a jump of the clock.
  mutating func removeExpired(at time: Int64) -> FragmentSet? {
    sets.firstIndex { set in
      let age = time.subtractingReportingOverflow(set.latest)
      return age.overflow || age.partialValue.magnitude > Self.patience.magnitude
    }.map { sets.remove(at: $0) }
  }

  /// Removes and returns the set that has waited longest.
  mutating func removeOldest() -> FragmentSet? { sets.isEmpty ? nil : sets.removeFirst() }
}

/// The fragments of one extended advertisement, joined so far.
struct FragmentSet: Sendable {
  /// The largest advertising data of one advertisement.
  static let maximumLength = 1650

  /// The report of the first fragment, whose time and RSSI represent the whole.
  var report: AdvertisingReport
  /// The time of the latest fragment.
  var latest: Int64
  /// The advertisement's data information and the next fragment's channel, on the link layer.
  var dataInformation: UInt16?
  var nextChannel: UInt8 = 255
  private(set) var data: [UInt8] = []
  /// A Boolean value that is true if fragments exceeded the limit; the surplus is dropped.
  private(set) var isOversized = false

  init(first: AdvertisingReport) {
    report = first
    latest = first.time
    data.reserveCapacity(Self.maximumLength)
  }

  mutating func append(_ fragment: Span<UInt8>) {
    let room = Self.maximumLength - data.count
    if fragment.count > room { isOversized = true }
    for index in 0..<min(room, fragment.count) { data.append(fragment[index]) }
  }

  func isContinued(by fragment: AdvertisingReport) -> Bool {
    report.address == fragment.address && report.sid == fragment.sid
      && report.adapter == fragment.adapter && report.eventType == fragment.eventType
  }
}
