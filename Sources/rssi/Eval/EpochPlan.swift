import Filtering
import Support

/// When positions are asked.
enum EpochPlan: Equatable {
  /// Nanoseconds.
  case periodic(step: Int64, window: Int64)
  /// Once for each stop of the moving node.
  case stays
  /// Once for each place, over all its visits in a trace.
  case places

  /// - Throws: `RSSIError` for what is neither a time, nor stay, nor place.
  init(epoch: String, window: String?) throws {
    switch epoch {
    case "stay", "place":
      guard window == nil else {
        throw RSSIError(
          .usage, "--window goes with a time between epochs: a stay's window is the stay")
      }
      self = epoch == "stay" ? .stays : .places
    default:
      guard let step = duration(epoch), step > 0 else {
        throw RSSIError(
          .usage, "--epoch \(epoch): write a time such as 2s or 500ms, or stay, or place")
      }
      guard let window else {
        self = .periodic(step: step, window: step)
        return
      }
      guard let length = duration(window), length > 0 else {
        throw RSSIError(.usage, "--window \(window): write a time such as 2s or 500ms")
      }
      self = .periodic(step: step, window: length)
    }
  }
}
