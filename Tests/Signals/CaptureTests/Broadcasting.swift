import Support
import Testing

@testable import Capture

/// What a broadcast told.
struct BroadcastRecord: BroadcastDelegate {
  var data: () -> [UInt8]
  var isToGoOn: () -> Bool
  private(set) var radios: [BroadcastRadio] = []
  private(set) var notes: [String] = []

  init(data: @escaping () -> [UInt8], isToGoOn: @escaping () -> Bool) {
    (self.data, self.isToGoOn) = (data, isToGoOn)
  }

  mutating func advertisingData() -> [UInt8] { data() }
  mutating func began(_ radio: BroadcastRadio) { radios.append(radio) }
  mutating func note(_ text: String) { notes.append(text) }
  mutating func tick() throws -> Bool { isToGoOn() }
}

extension Script {
  /// A controller that can advertise, of Bluetooth 5.0 or 4.2.
  static func advertiser(isExtended: Bool = true, hasCoded: Bool = true) -> Script {
    let script = Script(isExtended: isExtended, hasCoded: hasCoded)
    script.reportPeriod = nil
    var supported = [UInt8](repeating: 0, count: 64)
    (supported[25], supported[26]) = (0xF7, 0xFF)
    if isExtended { (supported[36], supported[37]) = (0xFE, 0x63) }
    let version: UInt8 = isExtended ? 9 : 8
    script.answers[0x1001] = [0, version, 0, 0, version, 0xF1, 0x05, 0, 0]
    script.answers[0x1002] = [0] + supported
    for opcode in [0x2006, 0x2008, 0x200A] as [UInt16] { script.answers[opcode] = [0] }
    script.answers[0x2007] = [0, 4]
    for opcode in [0x2035, 0x2037, 0x2039, 0x203C] as [UInt16] {
      script.answers[opcode] = isExtended ? [0] : [1]
    }
    script.answers[0x2036] = isExtended ? [0, 0xFD] : [1]
    return script
  }

  /// The parameters of each command of a kind, in order.
  func parameters(_ opcode: UInt16) -> [[UInt8]] {
    commands.filter { $0.opcode == opcode }.map(\.parameters)
  }
}

/// Runs the engine on a script until a time and returns what it told.
func broadcast(
  _ script: Script, seconds: Double, settings: BroadcastSettings = BroadcastSettings(),
  isManagedByKernel: Bool = false, data: @escaping (Double) -> [UInt8] = { _ in [2, 1, 6] }
) throws -> BroadcastRecord {
  let (record, error) = try run(script, seconds, settings, isManagedByKernel, data)
  if let error { throw error }
  return record
}

/// Runs the engine on a script that ends it, and returns how.
func failedBroadcast(
  _ script: Script, seconds: Double, settings: BroadcastSettings = BroadcastSettings(),
  isManagedByKernel: Bool = false
) throws -> (error: RSSIError, record: BroadcastRecord) {
  let (record, error) = try run(script, seconds, settings, isManagedByKernel) { _ in [2, 1, 6] }
  return (try #require(error), record)
}

private func run(
  _ script: Script, _ seconds: Double, _ settings: BroadcastSettings, _ isManagedByKernel: Bool,
  _ data: @escaping (Double) -> [UInt8]
) throws -> (BroadcastRecord, RSSIError?) {
  var record = BroadcastRecord(
    data: { data(script.seconds) }, isToGoOn: { script.seconds < seconds })
  do {
    var broadcaster = try Broadcaster(
      transport: FakeController(script, isManagedByKernel: isManagedByKernel), settings: settings,
      clock: script.clock)
    try broadcaster.run(for: &record)
    return (record, nil)
  } catch let error as RSSIError {
    return (record, error)
  }
}
