import Support

/// Suggestions for unknown columns of tables and lists: other spellings, case or units, or the
/// names in other programs.
package enum ColumnHint {
  /// Returns a suggestion for an unknown column, such as `did you mean "x_m"? the unit is part of
  /// the name`, or `nil` if none is similar.
  package static func words(_ name: String, among expected: [String]) -> String? {
    if isDegrees(name), let places = places(expected) {
      return "did you mean \(places)? places are in metres, not degrees"
    }
    guard let column = column(name, among: expected) else { return nil }
    // If only the unit or the case differ, the message says so.
    let isUnit = stem(key(name)) == stem(key(column)) && key(name) != key(column)
    return "did you mean \"\(column)\"?" + (isUnit ? " the unit is part of the name" : "")
  }

  /// Returns the expected column that a name probably means, or `nil` if none is similar.
  package static func column(_ name: String, among expected: [String]) -> String? {
    let own = key(name)
    guard !own.isEmpty else { return nil }
    if let same = expected.first(where: { key($0) == own }) { return same }
    // In a nested name, the last part is the column, unless it is an ordinary word.
    let isNested = name.contains(".")
    let last = isNested ? key(String(name.split(separator: ".").last ?? "")) : own
    for candidate in [own, last] {
      if let found = synonym(of: candidate, among: expected) { return found }
      if let same = expected.first(where: { $0.contains("_") && stem(key($0)) == stem(candidate) })
      {
        return same
      }
    }
    guard !isNested else { return nil }
    let limit = max(1, min(3, own.count / 3))
    return own.count < 4
      ? nil
      : expected.filter { $0.count >= 4 }
        .map { ($0, editDistance(own, key($0))) }.filter { $0.1 <= limit }
        .min { $0.1 < $1.1 }?.0
  }

  /// The rank of a column of another program that stands for one of this package; 0 is the best,
  /// and nil is for one that does not.
  package static func rank(_ name: String, as column: String) -> Int? {
    if let rank = rank(ofWhole: name, as: column) { return rank }
    // In a nested name, the last part is the column, unless it is an ordinary word.
    let parts = name.split(separator: ".")
    guard parts.count > 1, let last = parts.last.map(String.init), !ordinary.contains(key(last))
    else { return nil }
    return rank(ofWhole: last, as: column)
  }

  private static func rank(ofWhole name: String, as column: String) -> Int? {
    let (own, wanted) = (key(name), key(column))
    if own == wanted { return 0 }
    let isSame = stem(own) == stem(wanted) && column.contains("_")
    // Nothing decides between "time" and "timestamp".
    if isSame { return column == "time_s" ? 2 : 1 }
    if axis(own) == [column] || axis(String(stem(own))) == [column] { return 2 }
    guard let names = otherNames[column] else { return nil }
    let place = names.firstIndex(of: own) ?? names.firstIndex(of: String(stem(own)))
    return place.map { ranked.contains(column) ? $0 + 2 : 2 }
  }

  /// Words that mean anything as the last part of a nested name, as in `battery.level`.
  private static let ordinary: Set<String> = [
    "power", "level", "strength", "signal", "id", "uid", "name", "t", "d", "date", "range",
    "device",
    "tag", "phone", "ch", "run", "walk", "session", "recording",
  ]

  /// Returns a Boolean value that is true if a column of an unknown name may identify beacons or
  /// receivers.
  static func mayIdentify(_ name: String, as column: String) -> Bool {
    let words = key(name)
    return (identifyingWords[column] ?? []).contains { words.contains($0) }
  }

  private static let identifyingWords: [String: [String]] = [
    "beacon": [
      "beacon", "mac", "uuid", "major", "minor", "address", "node", "tag", "anchor", "ssid",
      "sensor", "device", "station", "identifier",
    ],
    "receiver": [
      "receiver", "anchor", "gateway", "scanner", "station", "reader", "observer", "sniffer",
      "listener", "esp32", "raspberry", "host",
    ],
  ]

  /// The unit at the end of a name, such as `ms` of `timestamp_ms`; nil where it has none.
  package static func unit(of name: String) -> String? {
    let words = name.lowercased().split { !$0.isLetter }
    guard words.count > 1, let last = words.last.map(String.init) else { return nil }
    let short = [
      "metres": "m", "meters": "m", "metre": "m", "meter": "m", "seconds": "s", "sec": "s",
      "millis": "ms", "feet": "ft", "inch": "in",
    ]
    let unit = short[last] ?? last
    return units.contains(unit) || unit == "in" ? unit : nil
  }

  /// Columns for which an earlier name of the list is the better one.
  private static let ranked: Set<String> = ["beacon", "receiver", "node"]

  /// The names of sighting columns in other programs, by the name in this package.
  private static let otherNames: [String: [String]] = [
    "time_s": [
      "time", "timestamp", "ts", "datetime", "date", "epoch", "unixtime", "unixtimestamp",
      "epochtime", "timestamputc", "tms", "firstseen", "lastchanged", "when", "t",
    ],
    "rssi_dbm": [
      "rssi", "rssivalue", "rssival", "rss", "signal", "signalstrength", "strength", "level",
      "rssidb",
    ],
    "beacon": [
      "beacon", "beaconid", "mac", "macaddress", "macaddr", "address", "bdaddress", "bdaddr",
      "deviceaddress", "addr", "bssid", "beaconname", "beaconmac", "beaconaddress", "blemac",
      "device", "deviceid", "tag", "tagid", "transmitter",
      "transmitterid", "source", "src", "sender", "advertiser", "advaddress", "uid", "id", "name",
      "devicename",
    ],
    "receiver": [
      "receiverid", "receivermac", "scanner", "scannerid", "gateway", "gatewayid", "gatewaymac",
      "reader", "readerid", "observer", "sniffer", "listener", "phone", "esp", "espid",
    ],
    "trace": ["walk", "run", "session", "experiment", "recording"],
    "channel": ["ch", "chan", "advchannel", "blechannel", "channelindex"],
    // A level of a table of sightings is that of the signal.
    "floor": ["floorid", "floorname", "floornumber", "storey", "story"],
    "distance_m": ["distance", "dist", "truedistance", "d", "range"],
    "node": [
      "node", "id", "beacon", "beaconid", "mac", "macaddress", "address", "device", "anchor",
      "anchorid", "gateway", "bssid", "name",
    ],
    "uuid": ["uuid", "proximityuuid", "beaconuuid", "ibeaconuuid", "puuid"],
    "major": ["major", "majorid", "ibeaconmajor"],
    "minor": ["minor", "minorid", "ibeaconminor"],
  ]

  /// Returns a name without case, separators and brackets, so that `x [m]`, `X_M` and `xM` are
  /// equal.
  package static func key(_ name: String) -> String {
    String(
      decoding: name.utf8.compactMap { byte -> UInt8? in
        switch byte {
        case _ where "_- .()[]/@".utf8.contains(byte): nil
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte + 32
        default: byte
        }
      }, as: UTF8.self)
  }

  private static let units = [
    "metres", "meters", "metre", "meter", "seconds", "pixels", "pixel", "feet", "inch", "cm", "mm",
    "km", "ft", "px", "dbm", "db", "mhz", "ghz", "hz", "ms", "us", "ns", "m", "s",
  ]

  /// Returns a key without its unit.
  private static func stem(_ key: String) -> Substring {
    for unit in units where key.hasSuffix(unit) && key.count > unit.count {
      return key.dropLast(unit.count)
    }
    return key[...]
  }

  private static func synonym(of key: String, among expected: [String]) -> String? {
    let bare = String(stem(key))
    return (synonyms[key] ?? synonyms[bare] ?? axis(key) ?? axis(bare) ?? [])
      .first(where: expected.contains)
  }

  /// Returns the column of an axis, for names such as `posX`, `x_coordinate` and `location.y`.
  private static func axis(_ key: String) -> [String]? {
    for axis in ["x", "y", "z"] where key.hasPrefix(axis) || key.hasSuffix(axis) {
      let rest = key.hasPrefix(axis) ? key.dropFirst() : key.dropLast()
      if rest.isEmpty || placeWords.contains(String(rest)) { return ["\(axis)_m"] }
    }
    return nil
  }

  private static let placeWords: Set<String> = [
    "pos", "position", "coord", "coords", "coordinate", "coordinates", "loc", "location", "place",
    "point", "local", "map", "plan", "floor", "room", "offset",
  ]

  /// The names of columns in other programs, by their keys.
  private static let synonyms: [String: [String]] = {
    var all: [String: [String]] = [:]
    for (columns, names) in [
      (["x_m"], ["easting", "east"]), (["y_m"], ["northing", "north"]),
      (["z_m"], ["height", "altitude", "elevation"]),
      (
        ["measured_power_dbm", "rssi_dbm"],
        [
          "txpower", "txpwr", "power", "transmitpower", "transmissionpower", "calibratedpower",
          "calibrationpower", "calibratedtxpower", "refpower", "referencepower", "refrssi",
          "referencerssi", "rxrefrssi", "rssi1", "rssiat1", "rssiref", "powerat1", "power1",
          "measuredrssi", "txpowerat1", "txpower1",
        ]
      ),
      (["rssi_dbm"], ["rssi", "signal", "signalstrength", "strength", "level", "rss"]),
      (["floor"], ["level", "storey", "story", "etage"]), (["range_m"], ["radius", "reach"]),
      (["time_s"], ["timestamp", "ts", "datetime", "epoch", "unixtime"]),
      (["receiver"], ["scanner", "gateway", "reader", "observer", "phone"]),
      (["beacon", "node", "id"], ["mac", "bssid", "address", "tag", "transmitter", "uid"]),
      (["name"], ["alias", "friendlyname", "devicename", "beaconname", "displayname"]),
    ] {
      for name in names { all[name, default: []] += columns }
    }
    return all
  }()

  /// Returns a Boolean value that is true for the names of coordinates and heights.
  static func isPlace(_ name: String) -> Bool {
    let own = key(name)
    return isDegrees(name) || axis(own) != nil || axis(String(stem(own))) != nil
      || synonyms[own]?.first?.hasSuffix("_m") == true
  }

  private static func isDegrees(_ name: String) -> Bool {
    let last = key(String(name.split(separator: ".").last ?? ""))
    return [
      "lat", "latitude", "lon", "lng", "long", "longitude", "latdeg", "londeg", "latitudedeg",
      "longitudedeg", "gpslat", "gpslon", "gpslng",
    ].contains(last)
  }

  /// Returns the columns of places, or `nil` if the table has none.
  private static func places(_ expected: [String]) -> String? {
    Set(["x_m", "y_m"]).isSubset(of: expected) ? "\"x_m\" and \"y_m\"" : nil
  }
}
