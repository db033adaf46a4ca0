import Sightings
import TraceStore

/// The selected content of a trace: the entries of its tables that selected rows refer to.
package final class PartSelection {
  /// The selection, which finds the rows again as they are read.
  let rows: RowSelection
  private(set) var beacons: Set<UInt32> = []
  private(set) var receivers: Set<UInt16> = []
  private(set) var traces: Set<UInt16> = []
  private(set) var advertisers: Set<UInt32> = []
  private(set) var stays: Set<UInt32> = []
  /// The selected times, by trace.
  private(set) var spans: [UInt16: Range<Int64>] = [:]
  private(set) var count = 0

  /// Reads a trace.
  ///
  /// - Parameter found: counts the selected content of all parts.
  init(
    _ selection: SightingSelection, of reader: TraceReader, counting found: RowSelection
  ) throws {
    rows = RowSelection(selection)
    try reader.forEachBlock([.time, .link, .stay, .radio]) { block in
      for row in found.rows(of: block, in: reader.catalogue) {
        beacons.insert(block.beacon[row])
        receivers.insert(block.receiver[row])
        traces.insert(block.trace[row])
        advertisers.insert(block.advertiser[row])
        stays.insert(block.stay[row])
        count += 1
      }
    }
    for trace in traces { spans[trace] = found.span(ofTrace: Int(trace)) }
    found.endFile(reader.catalogue)
  }
}
