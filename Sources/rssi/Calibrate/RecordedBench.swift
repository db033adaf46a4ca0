import Inputs
import Support
import TraceStore

/// Recordings of a bench: every stay is a pose, and a file without stays is one.
struct RecordedBench {
  let inputs: [String]
  /// Of files without stays, in metres: none, one for all, or one for each.
  let distances: [Double]
  /// Of files without stays: none, or one for each.
  let names: [String]

  /// - Throws: where the numbers of files, distances and names do not go together.
  func read(_ empty: PoseTable) throws -> PoseTable {
    guard distances.count <= 1 || distances.count == inputs.count else {
      throw RSSIError(
        .usage,
        "\(inputs.count) files and \(distances.count) distances: give one --distance for all, or "
          + "one for each file"
      )
    }
    guard names.isEmpty || names.count == inputs.count else {
      throw RSSIError(
        .usage,
        "\(inputs.count) files and \(names.count) poses: --pose names the pose of each file")
    }
    var table = empty
    for (index, input) in inputs.enumerated() {
      try forEachBlock(
        of: input, [.time, .link, .rssi, .dwell, .channel, .radio], filtered: nil,
        note: StandardError.write(line:)
      ) { rows, catalogue in table.add(rows, catalogue) }
      try table.endFile(
        input, distance: distances.count > 1 ? distances[index] : distances.first,
        name: names.isEmpty ? nil : names[index])
    }
    return table
  }
}
