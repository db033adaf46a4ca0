import PathLoss

extension Calibration {
  /// The fit of a link's own beacon, receiver or series that gives distances, or the file's only
  /// fit.
  func ownGroup(beacon: String, receiver: String, trace: String) -> PathLossGroup? {
    let own = groups.first { group in
      group.key != "pooled" && (group.series == nil || group.series == trace)
        && (group.beacon == nil || group.beacon == beacon)
        && (group.receiver == nil || group.receiver == receiver) && group.constants != nil
    }
    return own ?? (groups.count == 1 && groups[0].constants != nil ? groups[0] : nil)
  }
}
