import Sightings
import Support
import TracePipelines
import TraceStore

// What a part of a session has and other traces have not: a member, and a clock that was compared.
extension MergedSession {
  /// What was measured, by the clock that was compared.
  ///
  /// A clock may be decades off before a time service sets it, but no clock counts beyond 2^62 ns.
  static func offsets(of reader: TraceReader) throws -> [OffsetTrack.Knot] {
    try reader.catalogue.offsets.map { measured in
      let local = measured.time.subtractingReportingOverflow(measured.offset)
      guard !local.overflow, local.partialValue.magnitude < 1 << 62 else {
        throw RSSIError(
          .badInput,
          "/session/offsets of \(reader.path) holds a time that clocks do not show: it is damaged; "
            + "leave it out"
        )
      }
      return OffsetTrack.Knot(local: local.partialValue, offset: measured.offset)
    }
  }

  /// The times of a replayed recording are not of the machine's clock, so no offset is of them.
  static func clock(of reader: TraceReader, _ part: SessionPart) throws -> PartClock {
    part.isMachineClock ? PartClock(of: OffsetTrack(try offsets(of: reader))) : PartClock()
  }

  /// A receiver's name, the member's before it, so that two called hci0 are two.
  ///
  /// A name for which there is no room then ends in its digest, which no other name has.
  static func name(of receiver: Node, in part: SessionPart) -> String {
    guard receiver.id != part.member, !receiver.id.hasPrefix(part.member + "/") else {
      return receiver.id
    }
    let name = "\(part.member)/\(receiver.id)"
    guard !TextLimit.nodeIdentity.admits(name) else { return name }
    var hash = SHA256()
    let bytes = Array(name.utf8)
    hash.update(bytes.span)
    let digest = hash.hexadecimalDigest().prefix(16)
    return TextLimit.words(TextLimit.nodeIdentity.bytes - 17).fitted(name) + "-" + digest
  }

  /// Adds a part and its clock to the tables of the session.
  static func add<Sink: SightingSink & ~Copyable>(
    _ part: SessionPart, number: UInt16, of rows: TracePart, to intake: inout Intake<Sink>
  ) {
    for var offset in rows.reader.catalogue.offsets {
      offset.part = number
      intake.append(offset)
    }
    for var reading in rows.reader.catalogue.clock {
      reading.time = rows.shifted(reading.time, by: nil)
      intake.append(PartClockReading(part: number, reading: reading))
    }
    intake.append(part)
  }
}
