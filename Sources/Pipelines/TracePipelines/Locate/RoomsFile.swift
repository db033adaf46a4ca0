public import PathLoss
public import Rooms
package import Sightings
import Support

/// A file of trained rooms: the model, its recordings, and how good it is.
public struct RoomsFile: Codable, Sendable {
  /// The name of the file format.
  public var format = "rssi-rooms"
  /// The version of the file format.
  public var formatVersion = 1
  /// The version of the program that trained the rooms.
  public var toolVersion: String
  /// The command that trained the rooms.
  public var commandLine: String
  /// The role of the nodes that are in rooms: `receivers` or `beacons`.
  public var located: String
  /// The model of levels in each room.
  public var model: RoomModel
  /// The figures of recordings, or parts of them, that were held out of the training; nil for rooms
  /// from a radio map.
  public var heldOut: HeldOut?
  /// The input files.
  public var inputs: [Calibration.Input]
  /// The recordings that were learned from, with a sample of their readings to recognise them.
  package var sources: [Source]

  /// The figures of what was held out.
  public struct HeldOut: Codable, Sendable {
    /// The unit that was held out: `recording` or `part`.
    public var unit: String
    /// The share of time at which the announced room is right.
    public var right: Double
    /// The mean Brier score, from 0 to 2.
    public var brier: Double
    /// The mean of -log P(true room).
    public var logScore: Double

    private enum CodingKeys: String, CodingKey {
      case unit, right, brier
      case logScore = "log_score"
    }
  }

  /// A recording that was learned from.
  package struct Source: Codable, Sendable {
    package var trace: String
    package var node: String
    package var sample: ReadingSample
  }

  private enum CodingKeys: String, CodingKey {
    case format, located, model, inputs, sources
    case formatVersion = "format_version"
    case toolVersion = "tool_version"
    case commandLine = "command_line"
    case heldOut = "held_out"
  }

  /// The role of the nodes that are in rooms.
  package var role: NodeRole { located == "receivers" ? .receiver : .beacon }

  /// Reads a file of trained rooms.
  ///
  /// - Throws: `RSSIError` for a file of another kind, a later format, or damage.
  public init(path: String) throws {
    let text = try contents(ofFile: path, atMost: Self.maximumLength)
    guard let head = try? DocumentHead(json: text), head.format == "rssi-rooms" else {
      throw RSSIError(
        .badInput, "this is not a file of rooms", in: path,
        advice: "write one with `rssi rooms train`")
    }
    guard head.version == 1 else {
      throw RSSIError(
        .badInput,
        "rooms of format \(head.version): this rssi reads format 1", in: path,
        advice: "update rssi")
    }
    func damaged(_ problem: String) -> RSSIError {
      RSSIError(
        .badInput, "the file of rooms is damaged: \(problem)", in: path, advice: "train it again")
    }
    do {
      self = try RoomsFile(json: text)
    } catch {
      throw damaged(decodingProblem(error))
    }
    if let defect = model.defect { throw damaged(defect) }
    guard [NodeRole.receiver, .beacon].contains(where: { $0.plural == located }) else {
      throw damaged("\"located\" is neither receivers nor beacons")
    }
  }

  init(
    toolVersion: String, commandLine: String, role: NodeRole, model: RoomModel, heldOut: HeldOut?,
    inputs: [Calibration.Input], sources: [Source]
  ) {
    (self.toolVersion, self.commandLine) = (toolVersion, commandLine)
    (located, self.model, self.heldOut) = (role.plural, model, heldOut)
    (self.inputs, self.sources) = (inputs, sources)
  }

  /// The largest size of a file in bytes.
  private static let maximumLength = 256 << 20
}
