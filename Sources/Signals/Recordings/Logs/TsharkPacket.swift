internal import Advertising
internal import Sightings
internal import Support

/// The fields of one packet that tshark printed, each with its values in the order of the packet.
struct TsharkPacket {
  /// The fields that are read, by the names of Wireshark's display filters.
  enum Field: String, CaseIterable {
    case time = "frame.time_epoch"
    case date = "frame.time"
    case protocols = "frame.protocols"
    case frame = "frame_raw"
    case adapter = "hci_mon.adapter_id"
    case opcode = "hci_mon.opcode"
    case event = "bthci_evt.code"
    case subevent = "bthci_evt.le_meta_subevent"
    case reports = "bthci_evt.le_num_reports"
    case address = "bthci_evt.bd_addr"
    case addressType = "bthci_evt.le_peer_address_type"
    case level = "bthci_evt.rssi"
    case legacyType = "bthci_evt.le_advts_event_type"
    case extendedType = "bthci_evt.le_ext_advts_event_type"
    case primaryPHY = "bthci_evt.primary_phy"
    case secondaryPHY = "bthci_evt.secondary_phy"
    case sid = "bthci_evt.advertising_sid"
    case txPower = "bthci_evt.tx_power"
    case dataLength = "bthci_evt.data_length"
    case accessAddress = "btle.access_address"
    case pduType = "btle.advertising_header.pdu_type"
    case isRandom = "btle.advertising_header.randomized_tx"
    case pduLength = "btle.length"
    case advertiser = "btle.advertising_address"
    case wrongChecksum = "btle.crc.incorrect"
    /// The dissection ended early, so that later fields may be missing.
    case malformed = "_ws.malformed"
    case rfChannel = "btle_rf.channel"
    case signal = "btle_rf.signal_dbm"
    case isChecked = "btle_rf.flags.crc_checked"
    case isValid = "btle_rf.flags.crc_valid"
    case radioPHY = "btle_rf.phy"
    case nordicChannel = "nordic_ble.channel"
    case nordicLevel = "nordic_ble.rssi"
    case nordicChecksum = "nordic_ble.crcok"
    case nordicPHY = "nordic_ble.phy"
    case length = "btcommon.eir_ad.entry.length"
    case type = "btcommon.eir_ad.entry.type"
    case company = "btcommon.eir_ad.entry.company_id"
    case data = "btcommon.eir_ad.entry.data"
    case serviceData = "btcommon.eir_ad.entry.service_data"
    case uuid16 = "btcommon.eir_ad.entry.uuid_16"
    case uuid128 = "btcommon.eir_ad.entry.uuid_128"
    case customUUID = "btcommon.eir_ad.entry.custom_uuid_128"
    case name = "btcommon.eir_ad.entry.device_name"
    case power = "btcommon.eir_ad.entry.power_level"
    case appearance = "btcommon.eir_ad.entry.appearance"
    case flag7 = "btcommon.eir_ad.entry.flags.reserved"
    case flag4 = "btcommon.eir_ad.entry.flags.le_bredr_support_host"
    case flag3 = "btcommon.eir_ad.entry.flags.le_bredr_support_controller"
    case flag2 = "btcommon.eir_ad.entry.flags.bredr_not_supported"
    case flag1 = "btcommon.eir_ad.entry.flags.le_general_discoverable_mode"
    case flag0 = "btcommon.eir_ad.entry.flags.le_limited_discoverable_mode"
  }

  /// The fields by their names in `-T fields` and `-T json`, and in both forms of `-T ek`.
  static let fields: [String: Field] = {
    var fields: [String: Field] = [:]
    for field in Field.allCases {
      let name = field.rawValue
      let flat = String(name.map { $0 == "." ? "_" : $0 })
      fields[name] = field
      fields[flat] = field
      fields["\(name.prefix { $0 != "." })_\(flat)"] = field
      // Expert information is within a field of its own.
      if field == .wrongChecksum { fields["btle_\(flat)"] = field }
    }
    return fields
  }()

  private var values = [[ArraySlice<UInt8>]](repeating: [], count: Field.allCases.count)
  private static let places = Dictionary(
    uniqueKeysWithValues: Field.allCases.enumerated().map { ($1, $0) })

  subscript(field: Field) -> [ArraySlice<UInt8>] {
    get { values[Self.places[field] ?? 0] }
    _modify { yield &values[Self.places[field] ?? 0] }
  }

  mutating func removeAll() {
    for index in values.indices { values[index].removeAll(keepingCapacity: true) }
  }

  func has(_ field: Field) -> Bool { !self[field].isEmpty }

  /// Returns a whole number, decimal or hexadecimal after `0x`; nil if there is none.
  func number(_ field: Field, _ index: Int = 0) -> Int? {
    let values = self[field]
    guard index < values.count else { return nil }
    return Self.number(values[index])
  }

  static func number(_ text: ArraySlice<UInt8>) -> Int? {
    // The longest is an access address; longer ones could overflow in sums.
    guard text.count <= 12 else { return nil }
    let text = String(decoding: text, as: UTF8.self)
    return text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text)
  }

  /// Returns a Boolean value that tshark prints as a number or a word; nil if there is none.
  func flag(_ field: Field, _ index: Int = 0) -> Bool? {
    let values = self[field]
    guard index < values.count, let first = values[index].first else { return nil }
    return "1tTS".utf8.contains(first) || Self.number(values[index]) ?? 0 != 0
  }

  /// The time, in nanoseconds since the Unix epoch; nil if there is none.
  var nanoseconds: Int64? {
    for text in self[.time] + self[.date] {
      if let time = DecimalNumber.nanoseconds(text.span) { return time }
      if let local = Timestamp.local(iso8601: text.span), let offset = local.offset {
        return Timestamp.nanoseconds(local.seconds - offset, local.nanoseconds)
      }
    }
    return nil
  }

  /// A Boolean value that is true if the data of an advertisement were dissected only in part.
  var isCut: Bool {
    guard has(.malformed) else { return false }
    let length = self[.length].reduce(0) { $0 + 1 + (Self.number($1) ?? 0) }
    return length != number(.pduLength).map { $0 - 6 }
  }

  // MARK: - Advertising data

  /// The places in the values of the data of one packet.
  struct DataPlace {
    fileprivate var entry = 0
    fileprivate var used = Array(repeating: 0, count: Field.allCases.count)
  }

  /// Appends the AD structures of the next report.
  ///
  /// - Parameter length: the length of its data; nil if it has all of the packet.
  /// - Returns: A Boolean value that is true if they are the transmitted bytes.
  func appendData(_ length: Int?, from place: inout DataPlace, to bytes: inout [UInt8]) -> Bool {
    guard has(.length), has(.type) else {
      appendKnownData(to: &bytes)
      return false
    }
    let start = bytes.count
    var end = 0
    var isExact = true
    while place.entry < self[.length].count, end < length ?? .max {
      guard let size = number(.length, place.entry), let type = number(.type, place.entry),
        (1...255).contains(size), (0...255).contains(type)
      else {
        isExact = false
        place.entry += 1
        continue
      }
      place.entry += 1
      end += size + 1
      let structure = bytes.count
      bytes += [UInt8(size), UInt8(type)]
      if !append(UInt8(type), size - 1, &place, to: &bytes) || bytes.count - structure != size + 1 {
        bytes.removeSubrange(structure...)
        isExact = false
      }
    }
    return isExact && bytes.count - start == length ?? end
  }

  /// Appends manufacturer and service data, of which nothing but the content is known.
  private func appendKnownData(to bytes: inout [UInt8]) {
    for (type, id, data) in [
      (ADStructure.manufacturerData, Field.company, Field.data),
      (ADStructure.serviceData16, .uuid16, .serviceData),
    ] {
      guard let id = number(id).flatMap(UInt16.init(exactly:)), let text = self[data].first else {
        continue
      }
      let start = bytes.count
      bytes += [0, type, UInt8(id & 0xFF), UInt8(id >> 8)]
      if appendHexadecimal(text, to: &bytes), let size = UInt8(exactly: bytes.count - start - 1) {
        bytes[start] = size
      } else {
        bytes.removeSubrange(start...)
      }
    }
  }

  /// Appends the content of a structure; returns `false` if its fields are missing or unknown.
  private func append(
    _ type: UInt8, _ count: Int, _ place: inout DataPlace, to bytes: inout [UInt8]
  ) -> Bool {
    switch type {
    case ADStructure.flags:
      var byte = 0
      let bits: [(Field, Int)] = [
        (.flag7, 5), (.flag4, 4), (.flag3, 3), (.flag2, 2), (.flag1, 1), (.flag0, 0),
      ]
      for (field, shift) in bits {
        guard let text = next(field, &place) else { return false }
        byte |= (Self.number(text) ?? (text.first.map("tT".utf8.contains) == true ? 1 : 0)) << shift
      }
      bytes.append(UInt8(truncatingIfNeeded: byte))
      return true
    case 0x02, 0x03:
      return (0..<count / 2).allSatisfy { _ in append16(.uuid16, &place, to: &bytes) }
    case 0x06, 0x07:
      return (0..<count / 16).allSatisfy { _ in
        guard let text = next(.customUUID, &place) ?? next(.uuid128, &place) else { return false }
        return appendHexadecimal(text, to: &bytes)
      }
    case ADStructure.shortenedLocalName, ADStructure.completeLocalName:
      guard let text = next(.name, &place) else { return false }
      bytes += text
      return true
    case ADStructure.txPowerLevel:
      guard let value = next(.power, &place).flatMap(Self.number) else { return false }
      bytes.append(UInt8(truncatingIfNeeded: value))
      return true
    case 0x19: return append16(.appearance, &place, to: &bytes)
    case ADStructure.serviceData16:
      guard append16(.uuid16, &place, to: &bytes) else { return false }
      guard count > 2 else { return true }
      return next(.serviceData, &place).map { appendHexadecimal($0, to: &bytes) } ?? false
    case ADStructure.manufacturerData:
      guard append16(.company, &place, to: &bytes) else { return false }
      guard count > 2 else { return true }
      return next(.data, &place).map { appendHexadecimal($0, to: &bytes) } ?? false
    default:
      // Data that tshark does not decode.
      let index = Self.places[.data] ?? 0
      guard place.used[index] < values[index].count,
        appendHexadecimal(values[index][place.used[index]], to: &bytes)
      else { return false }
      place.used[index] += 1
      return true
    }
  }

  private func next(_ field: Field, _ place: inout DataPlace) -> ArraySlice<UInt8>? {
    let index = Self.places[field] ?? 0
    guard place.used[index] < values[index].count else { return nil }
    place.used[index] += 1
    return values[index][place.used[index] - 1]
  }

  private func append16(
    _ field: Field, _ place: inout DataPlace, to bytes: inout [UInt8]
  ) -> Bool {
    guard let value = next(field, &place).flatMap(Self.number).flatMap(UInt16.init(exactly:)) else {
      return false
    }
    bytes += [UInt8(value & 0xFF), UInt8(value >> 8)]
    return true
  }
}

/// Appends the bytes of hexadecimal digits, whose pairs may have a separator; returns `false`, and
/// appends nothing, for other texts.
func appendHexadecimal(
  _ text: ArraySlice<UInt8>, separator: UInt8 = UInt8(ascii: ":"), to bytes: inout [UInt8]
) -> Bool {
  let start = bytes.count
  var high: UInt8?
  for byte in text where byte != separator || high != nil {
    guard
      let digit = Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init(truncatingIfNeeded:))
    else {
      bytes.removeSubrange(start...)
      return false
    }
    if let first = high {
      bytes.append(first << 4 | digit)
      high = nil
    } else {
      high = digit
    }
  }
  if high != nil { bytes.removeSubrange(start...) }
  return high == nil
}
