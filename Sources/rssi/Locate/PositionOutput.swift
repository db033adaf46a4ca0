import LivePipelines
import Registries
import Reporting
import TracePipelines

/// Writes positions and events as they come.
final class PositionOutput: PositionSink {
  /// Writes a position; nil if positions are written elsewhere, or not at all.
  private let write: ((LocatedPosition) throws -> Void)?
  /// The output for events of spots and rooms; nil without one.
  private let events: PlaceEventOutput?

  init(write: ((LocatedPosition) throws -> Void)?, events: PlaceEventOutput?) {
    self.write = write
    self.events = events
  }

  func receive(_ position: LocatedPosition) throws { try write?(position) }
  func receive(_ event: PlaceEvent) throws { try events?.write(event) }
  func flush() throws { try StandardOutput.flush() }

  /// Runs a body with an output that writes positions to a file, which appears only when it is
  /// whole.
  static func with(
    _ form: PositionForm?, _ names: BeaconNames, events: PlaceEventOutput?,
    _ body: (PositionOutput) throws -> Void
  ) throws {
    func run(
      _ path: String, header: String?, _ line: @escaping (LocatedPosition) -> String
    ) throws {
      try writeOutput(to: path) { write in
        if let header { try write(header) }
        try withoutActuallyEscaping(write) { write in
          try body(PositionOutput(write: { try write(line($0)) }, events: events))
        }
      }
    }
    switch form {
    case .table(let path):
      let table = PositionCSV(names)
      try run(path, header: table.header, table.line)
    case .lines(let path): try run(path, header: nil) { $0.line(names) }
    // Positions are written into a trace as a whole.
    case .trace, nil: try body(PositionOutput(write: nil, events: events))
    }
  }
}

/// The output for events of spots and rooms: lines on standard output, and a program that is run for each.
struct PlaceEventOutput {
  private let names: BeaconNames
  private let program: EventProgram?

  /// - Parameters:
  ///   - names: the names of nodes.
  ///   - command: for the shell; nil = none.
  ///   - mayWait: true if the program may delay reading.
  init(_ names: BeaconNames, command: String?, mayWait: Bool, _ context: LiveContext) throws {
    self.names = names
    program = try command.map { try EventProgram($0, mayWait: mayWait, context) }
  }

  func write(_ event: PlaceEvent) throws {
    let line = event.line(name: names[event.node.id])
    try StandardOutput.write(line)
    program?.take(line)
  }

  /// Waits for the program, as `EventProgram` does.
  func finish() throws {
    try StandardOutput.flush()
    program?.finish()
  }
}
