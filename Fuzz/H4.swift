import Advertising

@testable import Capture

/// Reads a stream of a controller, framed in the pieces that the input defines.
///
/// The first byte is the kind of the stream, the second the number of sizes of pieces that follow;
/// these are used in turn.
///
/// | first byte, modulo 3 | rest | requirement |
/// |---|---|---|
/// | 0 | the stream | events are whole; no byte counts twice |
/// | 1 | reports and noise in turn, see `Mixture` | every report comes, all noise is skipped |
/// | 2 | reports with any data | every report comes, nothing is skipped |
func readH4(_ input: [UInt8]) {
  guard input.count >= 2 else { return }
  let sizes = input[2...].prefix(Int(input[1]))
  let rest = Array(input[(2 + sizes.count)...])
  switch input[0] % 3 {
  case 0:
    let (events, skipped) = frame(rest, sizes: sizes)
    for event in events {
      precondition(event.count == 2 + Int(event[1]), "an event that is not whole")
    }
    precondition(
      events.reduce(0) { $0 + $1.count + 1 } + skipped <= rest.count, "a byte came twice")
  case 1:
    let mixture = Mixture(pieces(of: rest), hasNoise: true)
    let (events, skipped) = frame(mixture.stream, sizes: sizes)
    precondition(events == mixture.events, "noise cost a report")
    precondition(skipped == mixture.noise, "noise was not counted")
  default:
    let mixture = Mixture(pieces(of: rest), hasNoise: false)
    let (events, skipped) = frame(mixture.stream, sizes: sizes, pauses: false)
    precondition(events == mixture.events && skipped == 0, "a report was lost")
  }
}

/// - Parameter pauses: true if nothing arrives for a while before each piece of size 0, which then
///   has one byte.
private func frame(
  _ stream: [UInt8], sizes: ArraySlice<UInt8>, pauses: Bool = true
) -> (events: [[UInt8]], skipped: Int) {
  var framer = H4Framer()
  var batch = EventBatch()
  var rest = stream[...]
  var number = 0
  while !rest.isEmpty {
    let size = sizes.isEmpty ? rest.count : Int(sizes[sizes.startIndex + number % sizes.count])
    if size == 0, pauses { framer.settle(into: &batch) }
    let piece = Array(rest.prefix(max(1, size)))
    framer.push(piece.span, time: Int64(number), into: &batch)
    rest = rest.dropFirst(piece.count)
    number += 1
  }
  framer.settle(into: &batch)
  return (batch.events.map { Array(batch.bytes[$0.range]) }, Int(framer.takeSkipped()))
}

/// Reports as the encoder writes them.
///
/// If there is noise, no byte of a report except the first may look like the beginning of an
/// event, and no noise like that of any packet: nothing in H4 would distinguish the two.
private struct Mixture {
  var stream: [UInt8] = []
  var events: [[UInt8]] = []
  var noise = 0

  init(_ parts: [[UInt8]], hasNoise: Bool) {
    for (number, part) in parts.enumerated() {
      if hasNoise, number.isMultiple(of: 2) {
        stream += part.map { (2...5).contains($0) ? 0 : $0 }
        noise += part.count
      } else {
        add(hasNoise ? part.map { $0 == 4 ? 5 : $0 } : part, hasNoise: hasNoise)
      }
    }
  }

  private mutating func add(_ part: [UInt8], hasNoise: Bool) {
    var data = part.prefix(229)
    if hasNoise, data.count == 4 { data.removeLast() }
    var report = AdvertisingReport(
      time: 0, address: DeviceAddress(bits: 0x0606_0606_0606, type: 1), rssi: -60, eventType: 0x10)
    if data.count > 31 { report.eventType = 0 }
    for event in HCIEventEncoder.events(of: report, payload: data.span) {
      precondition(!hasNoise || !event.contains(4))
      stream += [4] + event
      events.append(event)
    }
  }
}
