import Sightings

/// The clocks of the receivers of a table, each seen in the order of the receiver's rows.
struct TableClocks {
  private var clocks: [RecordedClock] = []
  /// The trace that the rows are of: in another one every receiver may have another clock.
  private var trace: UInt16?
  private var found: [(receiver: UInt16, step: ClockStep)] = []

  mutating func note(_ sightings: [Sighting]) {
    for sighting in sightings {
      if sighting.trace != trace {
        end()
        trace = sighting.trace
      }
      let receiver = Int(sighting.receiver)
      while clocks.count <= receiver { clocks.append(RecordedClock(isTable: true)) }
      clocks[receiver].note(sighting.time, link: sighting.beacon)
    }
  }

  private mutating func end() {
    for receiver in clocks.indices {
      found += clocks[receiver].takeSteps().map { (UInt16(receiver), $0) }
    }
    clocks.removeAll(keepingCapacity: true)
  }

  /// Adds the steps as gaps, and returns what a person should know of them.
  mutating func finish<Sink: SightingSink & ~Copyable>(into intake: inout Intake<Sink>) -> [String]
  {
    end()
    for (receiver, step) in found {
      intake.append(
        Gap(
          start: step.after, end: step.after, receiver: receiver, reason: .clockStep, dropped: 0))
    }
    return ClockStep.sentences(found.map(\.step))
  }
}
