import Geometry
import NumericalMethods
import Positioning
import Proximity
import Support
import TracePipelines

/// What is shown of a tracked node.
struct HomeAssistantDevice {
  let id: String
  let label: String
  /// Part of topics and identifiers: letters and digits, one of a kind.
  let slug: String
  var place: LocatedPosition?
  var placedAt: Int64 = 0
  /// Whether it is asked where it is.
  var isLocated = false
  var link: (beacon: RangedBeacon, receiver: String)?
  /// A Boolean value that is true if it has no name and was not asked for.
  var isStranger = false
  /// The time at which it was heard last, by the time of sightings.
  var heard: Int64 = 0
  var announced: Set<HomeAssistantEntity> = []
  /// When its state was published, by the clock that is never set.
  var published: Int64?

  init(id: String, label: String) {
    (self.id, self.label) = (id, String(label.prefix(128)))
    let letters = id.lowercased().utf8.prefix(48).map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
      default: UInt8(ascii: "_")
      }
    }
    // Two identities may have the same letters.
    slug = String(decoding: letters, as: UTF8.self) + "_" + sha256(Array(id.utf8).span).prefix(8)
  }

  /// What there is to show.
  var entities: [HomeAssistantEntity] {
    [.tracker] + (isLocated ? [.room] : [])
      + (link == nil ? [] : [.distance, .zone, .level, .receiver])
  }

  private var isHome: Bool { place != nil || link?.beacon.isHeard == true }

  /// One JSON object, the same for the same values.
  var state: String {
    String(
      JSONWriter.line(escapes: .short) { json in
        json.member("tracker", isHome ? "home" : "not_home")
        if isLocated { addPlace(to: &json) }
        if let link { add(link.beacon, at: link.receiver, to: &json) }
      }.dropLast())
  }

  private func addPlace(to json: inout JSONWriter) {
    json.member("room", place?.room)
    json.member("spot", place?.spot)
    let position = place?.estimate?.position
    for (name, value) in [
      ("x_m", position?.x), ("y_m", position?.y), ("semi_major_95_m", place?.ellipse?.semiMajor),
      ("semi_minor_95_m", place?.ellipse?.semiMinor),
    ] { json.member(name, written: value.map { decimals($0, 2) }) }
  }

  private func add(_ beacon: RangedBeacon, at receiver: String, to json: inout JSONWriter) {
    let distance = beacon.isHeard ? beacon.distance : nil
    for (name, value) in [
      ("distance_m", distance?.distance), ("ci95_lower_m", distance?.interval?.lower),
      ("ci95_upper_m", distance?.interval?.upper),
    ] { json.member(name, written: value.flatMap { $0.isFinite ? decimals($0, 2) : nil }) }
    json.member("zone", beacon.isHeard ? beacon.zone.description : nil)
    json.member(
      "rssi_dbm", written: beacon.isHeard && beacon.level.isFinite ? decimals(beacon.level, 1) : nil
    )
    json.member("receiver", beacon.isHeard ? receiver : nil)
  }
}
