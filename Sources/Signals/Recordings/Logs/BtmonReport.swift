internal import Advertising
internal import Sightings
internal import Support

/// An advertising report in the text of btmon, which is read line by line.
///
/// btmon prints the UUID of an iBeacon in reverse, and major and minor with their bytes swapped; both
/// are put right. The data of extended reports are printed as bytes. Of legacy reports they are
/// composed again from what is printed, and marked as incomplete if that is not all.
struct BtmonReport {
  private static let longestData = 1650

  private let isExtended: Bool
  private var report: AdvertisingReport
  private var hasAddress = false
  private var level: Float?
  /// The printed length of the data; nil before its line.
  private var length: Int?
  private var data: [UInt8] = []
  /// The AD structure whose content is on the next lines: its type and its UUID or company.
  private var structure: (type: UInt8, id: UInt16)?
  private var apple: [UInt8] = []

  /// Creates a report with the event type that btmon prints, if it can be read.
  init(eventType type: Int?, isExtended: Bool) {
    self.isExtended = isExtended
    var event = Sighting.unknownEventType
    var status: UInt8 = 0
    if let type, isExtended {
      event = UInt16(truncatingIfNeeded: type & ~0x60)
      status = UInt8(type >> 5 & 3)
    } else if let code = type.flatMap(UInt8.init(exactly:)).flatMap(LegacyEventType.extended) {
      event = code
    }
    report = AdvertisingReport(
      time: 0, address: DeviceAddress(bits: 0, type: 0), rssi: .nan, eventType: event)
    report.dataStatus = status
  }

  /// Adds the report to a batch; returns `false` if it lacks an address or a level, or is too long.
  func add(to batch: inout LogBatch, time: Int64, adapter: UInt16) -> Bool {
    guard hasAddress, let level else { return false }
    var report = report
    (report.time, report.adapter, report.rssi) = (time, adapter, level)
    if data.count != length ?? 0, report.dataStatus == 0 { report.dataStatus = 1 }
    let start = batch.bytes.count
    batch.bytes += data
    return batch.add(report, dataFrom: start)
  }

  /// Reads a line of the report.
  mutating func read(_ text: ArraySlice<UInt8>) {
    let value = text.after(": ")
    if text.starts(with: "RSSI: ") {
      (structure, apple) = (nil, [])
      // "invalid (0x7f)" has no number before the bytes.
      let found =
        text.bracketedCode.map { Int(Int8(truncatingIfNeeded: $0)) } ?? value?.leadingNumber
      level = found.map { -127...20 ~= $0 ? Float($0) : .nan }
    } else if let printed = text.starts(with: "Data length: ") ? value : nil {
      length =
        printed.starts(with: "0x")
        ? printed.dropFirst(2).leadingHexadecimal : printed.leadingNumber
    } else if length == nil {
      readHeader(text, value ?? [])
    } else if isExtended {
      readBytes(text)
    } else {
      readData(text, value)
    }
  }

  private mutating func readHeader(_ text: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
    if text.starts(with: "Address type: ") {
      report.address.type = UInt8(truncatingIfNeeded: text.bracketedCode ?? 0)
    } else if text.starts(with: "Address: "),
      let address = DeviceAddress(String(decoding: value.prefix(17), as: UTF8.self))
    {
      report.address.bits = address.bits
      hasAddress = true
    } else if text.starts(with: "Primary PHY: ") {
      report.primaryPHY = value.after("Coded") == nil ? 1 : 3
    } else if text.starts(with: "Secondary PHY: ") {
      report.secondaryPHY =
        value.starts(with: "LE 1M")
        ? 1 : value.starts(with: "LE 2M") ? 2 : value.after("Coded") == nil ? 0 : 3
    } else if text.starts(with: "SID: ") {
      let code = value.after("0x")?.leadingHexadecimal
      report.sid = UInt8(truncatingIfNeeded: code ?? value.leadingNumber ?? 0xFF)
    } else if text.starts(with: "TX power: ") {
      report.txPower = Int8(truncatingIfNeeded: value.leadingNumber ?? 127)
    }
  }

  /// Reads a line of the data of an extended report: sixteen bytes, then the same as characters.
  private mutating func readBytes(_ text: ArraySlice<UInt8>) {
    let rest = min(length ?? 0, Self.longestData) - data.count
    let words = text.split(separator: 0x20).prefix(min(16, max(0, rest)))
    let bytes = words.compactMap { $0.count == 2 ? $0.leadingHexadecimal : nil }
    if !bytes.isEmpty, bytes.count == min(16, rest) {
      data += bytes.map { UInt8(truncatingIfNeeded: $0) }
    }
  }

  /// Reads a line of the data of a legacy report.
  private mutating func readData(_ text: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>?) {
    // More than a report can have.
    guard let value, data.count <= Self.longestData else { return }
    if text.starts(with: "Data") {
      var bytes: [UInt8] = []
      guard let structure, appendHexadecimal(value.trimmed, to: &bytes) else { return }
      self.structure = nil
      let kind = apple.isEmpty ? [] : [apple[0], UInt8(truncatingIfNeeded: bytes.count)]
      apple = []
      add(structure.type, [UInt8(structure.id & 0xFF), UInt8(structure.id >> 8)] + kind + bytes)
    } else if structure != nil, text.starts(with: "Type: ") {
      apple = [UInt8(truncatingIfNeeded: text.after("(")?.leadingNumber ?? 0)]
    } else if apple == [2], text.starts(with: "UUID: ") {
      var bytes: [UInt8] = []
      if appendHexadecimal(value, separator: UInt8(ascii: "-"), to: &bytes) {
        apple += [0x15] + bytes.reversed()
      }
    } else if apple.count == 18, text.starts(with: "Version: "), let minor = value.after(".") {
      for number in [value.leadingNumber, minor.leadingNumber] {
        let number = UInt16(truncatingIfNeeded: number ?? 0)
        apple += [UInt8(number & 0xFF), UInt8(number >> 8)]
      }
    } else if apple.count == 22, text.starts(with: "TX power: ") {
      add(
        ADStructure.manufacturerData,
        [0x4C, 0] + apple + [UInt8(truncatingIfNeeded: value.leadingNumber ?? 0)])
      (structure, apple) = (nil, [])
    } else {
      (structure, apple) = (nil, [])
      beginStructure(text, value)
    }
  }

  private mutating func beginStructure(_ text: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
    if text.starts(with: "Flags: "), let flags = value.dropFirst(2).leadingHexadecimal {
      add(ADStructure.flags, [UInt8(truncatingIfNeeded: flags)])
    } else if text.starts(with: "Name (complete): ") {
      add(ADStructure.completeLocalName, Array(value))
    } else if text.starts(with: "Name (short): ") {
      add(ADStructure.shortenedLocalName, Array(value))
    } else if text.starts(with: "TX power: "), let power = value.leadingNumber {
      add(ADStructure.txPowerLevel, [UInt8(truncatingIfNeeded: power)])
    } else if text.starts(with: "Company: "), let id = text.bracketedNumber {
      structure = (ADStructure.manufacturerData, id)
    } else if text.starts(with: "Service Data"), let id = text.bracketedCode {
      structure = (ADStructure.serviceData16, UInt16(truncatingIfNeeded: id))
      // Older versions have the data on the same line.
      var bytes: [UInt8] = []
      if value.first != nil, !value.contains(UInt8(ascii: "(")),
        appendHexadecimal(value, to: &bytes)
      {
        add(ADStructure.serviceData16, [UInt8(id & 0xFF), UInt8(id >> 8 & 0xFF)] + bytes)
        structure = nil
      }
    } else if text.starts(with: "Appearance: "), let code = text.bracketedCode {
      add(0x19, [UInt8(code & 0xFF), UInt8(code >> 8 & 0xFF)])
    }
  }

  private mutating func add(_ type: UInt8, _ bytes: [UInt8]) {
    guard bytes.count < 255 else { return }
    data += [UInt8(bytes.count + 1), type] + bytes
  }
}

extension ArraySlice<UInt8> {
  /// The hexadecimal number in the last brackets of a line; nil if there is none.
  var bracketedCode: Int? {
    guard let bracket = lastIndex(of: UInt8(ascii: "(")), self[bracket...].starts(with: "(0x")
    else { return nil }
    return self[(bracket + 3)...].leadingHexadecimal
  }

  /// The decimal number in the last brackets of a line; nil if there is none.
  fileprivate var bracketedNumber: UInt16? {
    lastIndex(of: UInt8(ascii: "(")).flatMap { self[($0 + 1)...].leadingNumber }
      .flatMap(UInt16.init(exactly:))
  }
}
