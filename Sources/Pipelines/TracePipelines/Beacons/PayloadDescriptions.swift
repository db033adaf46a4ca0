import Advertising
import Sightings

/// What each payload of a file states of its device, four bytes a payload.
///
/// Payloads that differ in a counter or a temperature state the same of their device.
struct PayloadDescriptions {
  private var distinct: [DeviceDescription] = [DeviceDescription()]
  private var numbers: [DeviceDescription: UInt32] = [DeviceDescription(): 0]
  private var numbersByPayload: [UInt32] = []

  /// Takes the payloads that are numbered next.
  mutating func add(_ payloads: NewPayloads) {
    var start = 0
    for length in payloads.lengths {
      let end = start + Int(length)
      add(DeviceDescription(payload: payloads.bytes.span.extracting(start..<end)))
      start = end
    }
  }

  private mutating func add(_ description: DeviceDescription) {
    let number = numbers[description] ?? UInt32(distinct.count)
    if number == distinct.count {
      numbers[description] = number
      distinct.append(description)
    }
    numbersByPayload.append(number)
  }

  /// What a payload states; nil where it states nothing, and for a number that there is not.
  subscript(payload: UInt32) -> DeviceDescription? {
    guard payload < numbersByPayload.count, numbersByPayload[Int(payload)] > 0 else { return nil }
    return distinct[Int(numbersByPayload[Int(payload)])]
  }
}
