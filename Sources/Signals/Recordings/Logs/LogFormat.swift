internal import Advertising
internal import Sightings
internal import Support

/// A text in which another program prints advertisements, recognised by its first bytes.
package enum LogFormat: Sendable {
  /// `tshark -T fields -E header=y`
  case tsharkFields
  /// `tshark -T json`
  case tsharkJSON
  /// `tshark -T ek`
  case tsharkLines
  /// Events of u-blox anchors.
  case uBlox
  /// The log of an ESPHome proxy or of Home Assistant.
  case esphome
  /// The text of btmon.
  case btmon
  /// A path file of XYZ10.
  case xyz10
  /// A log of GetSensorData.
  case getSensorData
  /// A table of Sensor Logger.
  case sensorTable
  /// The JSON of Sensor Logger.
  case sensorJSON
  /// A table of WiGLE.
  case wigle
  /// The contacts of Herald.
  case herald
  /// A capture of ESPresense-companion.
  case companion

  /// The number of bytes by which a format is recognised.
  package static let headLength = 4096

  /// Returns the format of a text by its first bytes, or `nil` for a table or anything else.
  package init?(_ head: [UInt8]) {
    let start = head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let lines = head[start...].split(maxSplits: 64) { $0 == 0x0A || $0 == 0x0D }
    guard let first = lines.first else { return nil }
    let words = String(decoding: head.prefix(512), as: UTF8.self)
    let marks = words.filter { !$0.isWhitespace }.prefix(2)
    if marks.first == "{" || marks == "[{" {
      guard let format = Self.json(words) else { return nil }
      self = format
    } else if Self.isHeader(first) {
      self = .tsharkFields
    } else if Self.isSensorTable(first) {
      self = .sensorTable
    } else if WiGLEParser.recognises(first) {
      self = .wigle
    } else if HeraldParser.recognises(first) {
      self = .herald
    } else if lines.contains(where: { $0.after("\tTYPE_") != nil })
      || first.starts(with: "#\tstartTime:")
    {
      self = .xyz10
    } else if lines.contains(where: Self.isGetSensorData) {
      self = .getSensorData
    } else if lines.contains(where: { $0.after("+UUDF:") != nil }) {
      self = .uBlox
    } else if lines.contains(where: Self.isBtmon) {
      self = .btmon
    } else if lines.contains(where: Self.isESPHome) {
      self = .esphome
    } else {
      return nil
    }
  }

  private static func isSensorTable(_ line: ArraySlice<UInt8>) -> Bool {
    let names = line.fields()
    return ["time", "seconds_elapsed", "id", "rssi"].allSatisfy { name in
      names.contains { $0.elementsEqual(name.utf8) }
    }
  }

  private static func isGetSensorData(_ line: ArraySlice<UInt8>) -> Bool {
    line.starts(with: "BLE4;") || line.starts(with: "% LogFile created by the app 'GetSensorData")
      || line.first == UInt8(ascii: "%") && line.after("AppTimestamp(s)") != nil
  }

  private static func isBtmon(_ line: ArraySlice<UInt8>) -> Bool {
    line.starts(with: "Bluetooth monitor ver") || line.starts(with: "> HCI Event: ")
      || line.starts(with: "< HCI Command: ") || line.starts(with: "@ MGMT ")
      || line.starts(with: "= New Index: ")
  }

  private static func isESPHome(_ line: ArraySlice<UInt8>) -> Bool {
    if line.after(" (MainThread) [") != nil || line.after("[aioesphomeapi.") != nil { return true }
    // [12:00:00][D][component:123]:
    guard let rest = line.after("]["), let level = rest.before("]["), level.count <= 2 else {
      return false
    }
    return level.allSatisfy("EWICDV".utf8.contains) && rest.after("]:") != nil
  }

  private static func json(_ words: String) -> LogFormat? {
    if words.hasPrefix("{\"index\":{\"_index\":\"packets-") { return .tsharkLines }
    if words.contains("\"_source\""), words.contains("\"layers\"") {
      return .tsharkJSON
    }
    if words.contains("\"deviceId\""), words.contains("\"version\""),
      words.contains("\"started\"")
    {
      return .companion
    }
    return words.contains("\"seconds_elapsed\"") && words.contains("\"sensor\"") ? .sensorJSON : nil
  }

  /// Returns a Boolean value that is true for fields of tshark with a level and an address, or with
  /// the bytes of packets.
  private static func isHeader(_ line: ArraySlice<UInt8>) -> Bool {
    let fields = TsharkParser.fields(ofHeader: line)
    let levels: [TsharkPacket.Field] = [.level, .signal, .nordicLevel]
    return fields.contains(where: levels.contains)
      && fields.contains { $0 == .address || $0 == .advertiser }
  }

  /// The keys of the arrays that are read in turn; nil for lines.
  var arrays: [[[UInt8]]]? {
    switch self {
    case .tsharkJSON, .sensorJSON: [[]]
    case .companion: CompanionParser.arrays
    case .tsharkFields, .tsharkLines, .uBlox, .esphome, .btmon, .xyz10, .getSensorData,
      .sensorTable, .wigle, .herald:
      nil
    }
  }

  /// The parser of a file.
  func parser(of path: String) throws(RSSIError) -> any LogParser {
    switch self {
    case .tsharkFields: TsharkParser(hasHeader: true)
    case .tsharkJSON, .tsharkLines: TsharkParser(hasHeader: false)
    case .uBlox: UBloxParser()
    case .esphome: ESPHomeParser()
    case .btmon: BtmonParser()
    case .xyz10: PhoneParser(isXYZ10: true)
    case .getSensorData: PhoneParser(isXYZ10: false)
    case .sensorTable: SensorLoggerParser(isTable: true)
    case .sensorJSON: SensorLoggerParser(isTable: false)
    case .wigle: WiGLEParser()
    case .herald: HeraldParser()
    case .companion:
      try CompanionParser(contentHead(of: path, atMost: Self.headLength).bytes, path: path)
    }
  }
}
