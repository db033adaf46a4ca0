internal import CHDF5
internal import Sightings
package import Support

extension TraceReader {
  /// Opens the remains of a trace that its writer left open, or that is damaged, to be rewritten.
  ///
  /// If a power failure tore it, a repaired copy is read.
  ///
  /// - Parameter output: The new place.
  package static func salvaging(
    _ path: String, toRewriteAt output: String
  ) throws(RSSIError) -> TraceReader {
    let turn = turn(at: path, for: output)
    var refusal: RSSIError?
    do throws(RSSIError) {
      let reader = try TraceReader(path: path, isSalvaging: true, turn: turn)
      guard !reader.isClean, !reader.isLive, reader.isTorn else { return reader }
    } catch {
      guard error.kind == .badInput, H5Fis_hdf5(path) > 0, !isBeingWritten(path) else {
        throw error
      }
      refusal = error
    }
    do throws(RSSIError) {
      let copy = try MendedCopy.open(path, beside: output)
      return try TraceReader(path: path, isSalvaging: true, turn: turn, mended: copy)
    } catch {
      // For a file that cannot be mended, the first error is the relevant one.
      throw error.kind == .badInput ? refusal ?? error : error
    }
  }

  /// A Boolean value that is true if it contains rows that were never received, because a power
  /// failure lost their pages.
  private var isTorn: Bool {
    do {
      let payloads = tables.payloads.tables[0].rows.count
      if try tables.sightings.firstUnknown(catalogue, payloads: payloads) != nil { return true }
      let sightings = tables.sightings
      var (times, block) = ([Double](), SightingColumns(capacity: 0))
      var (hasTime, zeros) = (false, 0)
      // A run of zeros after this many rows without one does not consist of levels.
      let known = 2_000
      var (firstChannel, firstSet): (Int?, Int?)
      for first in stride(from: 0, to: count, by: 65_536) {
        let rows = first..<min(first + 65_536, count)
        try sightings.time.read(rows, into: &times)
        try sightings.read(rows, [.rssi, .channel, .radio], into: &block)
        firstChannel = firstChannel ?? block.channel.firstIndex(of: 0).map { first + $0 }
        firstSet = firstSet ?? block.sid.firstIndex(of: 0).map { first + $0 }
        for (time, level) in zip(times, block.rssi) {
          if time == 0, hasTime { return true }
          hasTime = hasTime || time != 0
          // Some controllers report 0 dBm now and then for an unknown level.
          zeros = level == 0 ? zeros + 1 : 0
          if zeros == 64 { return true }
        }
      }
      return [firstChannel, firstSet].contains { $0 ?? 0 > known }
    } catch {
      return true
    }
  }

  /// The declared number of sightings of a torn trace, of which fewer may remain; `nil` for other
  /// traces.
  package var declaredOfTorn: Int? {
    guard isMended else { return nil }
    guard case .open(.salvaged(let committed)) = file.mode else { return count }
    return max(count, committed["sightings"] ?? count)
  }
}
