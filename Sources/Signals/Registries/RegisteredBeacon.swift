public import Advertising
internal import Recordings
internal import Support

/// The known properties of one beacon: its name, place and power.
public struct RegisteredBeacon: Equatable, Sendable {
  /// The identity of the beacon.
  public var identity: BeaconIdentity
  /// The display name.
  public var name: String?
  /// The description of the place.
  public var description: String?
  /// Other fields, by their names in the table.
  public var notes: [String: String] = [:]
  /// The x coordinate, in metres; `nil` if it is unknown.
  public var x: Double?
  /// The y coordinate, in metres; `nil` if it is unknown.
  public var y: Double?
  /// The height, in metres; `nil` if it is unknown.
  public var z: Double?
  /// The measured RSSI at 1 m in dBm, if there is one.
  public var measuredPower: Double?
  /// The distance within which the beacon counts as reached, in metres; `nil` if it has none.
  public var range: Double?

  /// Creates a beacon with only an identity.
  public init(_ identity: BeaconIdentity) { self.identity = identity }
}

extension RegisteredBeacon {
  /// The name with the identity, or the identity alone: `door (ibeacon:…)`.
  public var label: String { name.map { "\($0) (\(identity))" } ?? "\(identity)" }
}

/// A field that became a note, with the field that was probably meant.
struct FieldDoubt: Hashable {
  /// The quoted name.
  var name: String
  var hint: String
}

extension RegisteredBeacon {
  /// Reads the beacon from the fields of an entry; unknown fields become notes.
  ///
  /// - Returns: The beacon, a flag that characters were removed from its texts, and the fields that
  ///   became notes although their names are similar to known ones.
  /// - Throws: The first problem; an entry is accepted entirely or not at all.
  static func read(
    _ given: EntryFields
  ) throws(EntryProblem) -> (Self, isCleaned: Bool, doubts: [FieldDoubt]) {
    var fields = given
    if let name = fields.repeated { throw EntryProblem("duplicate field \(quoted(name))") }
    var beacon = RegisteredBeacon(try fields.takeIdentity())
    var isCleaned = false
    func clean(_ text: String, _ what: String, _ limit: Int) throws(EntryProblem) -> String {
      guard !text.unicodeScalars.contains("\u{FFFD}") else {
        throw EntryProblem("\(what) is not UTF-8")
      }
      let clean = CleanText(text)
      if clean.isChanged { isCleaned = true }
      guard clean.text.utf8.count <= limit else {
        throw EntryProblem("\(what) has \(clean.text.utf8.count) bytes (at most \(limit))")
      }
      return clean.text
    }
    func text(_ names: [String], _ limit: Int) throws(EntryProblem) -> String? {
      guard let field = fields.take(names) else { return nil }
      let text = try clean(field.text, field.name, limit)
      return text.isEmpty ? nil : text
    }
    beacon.name = try text(["name", "title", "label"], RegistryLimits.nameBytes)
    beacon.description = try text(["description"], RegistryLimits.textBytes)
    try beacon.takePlace(&fields)
    try beacon.takePower(&fields)
    beacon.range = try fields.takeNumber(["rangem", "range", "rangethresholdm", "rangethreshold"])
    if let range = beacon.range, !(range > 0 && range <= RegistryLimits.coordinate) {
      throw EntryProblem("the range \(range) must be above 0 m and at most 1000 km")
    }
    let rest = fields.rest
    guard rest.count <= RegistryLimits.notes else {
      throw EntryProblem("\(rest.count) notes (at most \(RegistryLimits.notes))")
    }
    let missing = beacon.missingFields
    var doubts: [FieldDoubt] = []
    for note in rest {
      if !note.isNote, let hint = ColumnHint.words(note.name, among: missing) {
        doubts.append(FieldDoubt(name: quoted(note.name), hint: hint))
      }
      let name = try clean(note.name, "the name of a note", RegistryLimits.nameBytes)
      let text = try clean(note.text, "the note \(quoted(name))", RegistryLimits.textBytes)
      guard !name.isEmpty, !text.isEmpty else { continue }
      guard beacon.notes.updateValue(text, forKey: name) == nil else {
        throw EntryProblem("duplicate note \(quoted(name))")
      }
    }
    return (beacon, isCleaned, doubts)
  }

  /// The names of the fields that the entry lacks.
  private var missingFields: [String] {
    let fields: [(String, Bool)] = [
      ("name", name != nil), ("description", description != nil), ("x_m", x != nil),
      ("y_m", y != nil), ("z_m", z != nil), ("measured_power_dbm", measuredPower != nil),
      ("range_m", range != nil),
    ]
    return fields.filter { !$0.1 }.map(\.0)
  }

  private mutating func takePlace(_ fields: inout EntryFields) throws(EntryProblem) {
    x = try fields.takeNumber(["xm"])
    y = try fields.takeNumber(["ym"])
    z = try fields.takeNumber(["zm"])
    guard (x == nil) == (y == nil) else {
      throw EntryProblem("only one of x_m and y_m is given: give both or neither")
    }
    for value in [x, y, z].compactMap(\.self) where abs(value) > RegistryLimits.coordinate {
      throw EntryProblem("the coordinate \(value) is more than 1000 km from the origin")
    }
  }

  private mutating func takePower(_ fields: inout EntryFields) throws(EntryProblem) {
    measuredPower = try fields.takeNumber(["measuredpowerdbm", "measuredpower"])
    if let atZero = try fields.takeNumber(["txpower0mdbm", "eddystonetxpowerdbm"]) {
      // Eddystone contains the power at 0 m, 41 dB above that at 1 m.
      let power = atZero - 41
      // An advertised power is rounded to whole dB, a measured one is not.
      if let measured = measuredPower, abs(measured - power) > 1 {
        throw EntryProblem(
          "\(measured) dBm at 1 m and \(atZero) dBm at 0 m contradict each other: they are 41 dB "
            + "apart"
        )
      }
      measuredPower = measuredPower ?? power
    }
    if let power = measuredPower, !RegistryLimits.power.contains(power) {
      throw EntryProblem("the measured power \(power) dBm must be between -127 and 20")
    }
  }
}

extension RegisteredBeacon {
  /// The beacon as one JSON object on one line, without unknown values.
  var json: String {
    var json = JSONWriter(.spaced)
    json.object { json in
      json.member("id", "\(identity)")
      if let name { json.member("name", name) }
      if let description { json.member("description", description) }
      for (key, value) in [
        ("x_m", x), ("y_m", y), ("z_m", z), ("measured_power_dbm", measuredPower),
        ("range_m", range),
      ] {
        if let value { json.member(key, number: value) }
      }
      guard !notes.isEmpty else { return }
      json.key("notes")
      json.object { json in
        for (key, note) in notes.sorted(by: { $0.key < $1.key }) { json.member(key, note) }
      }
    }
    return json.text
  }
}
