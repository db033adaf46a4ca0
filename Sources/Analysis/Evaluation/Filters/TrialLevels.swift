package import Filtering

/// The levels of many links, in the order in which they came, and what is known of the truth.
package struct TrialLevels: Sendable {
  /// By number of the link, where it belongs. A link of two traces is two links here.
  package private(set) var places: [LinkPlace] = []
  /// By number of the link, its rows: in order of time once they are sorted.
  private(set) var rowsOfLink: [[Int]] = []
  package private(set) var link: [Int32] = []
  /// Nanoseconds.
  package private(set) var time: [Int64] = []
  /// dBm; NaN where the sighting has no level.
  package private(set) var rssi: [Double] = []
  /// 37 to 39; 255 where it is not known.
  package private(set) var channel: [UInt8] = []

  package init() {}

  package var count: Int { time.count }

  /// Makes room for a link and returns its number, counted from 0.
  package mutating func addLink(_ place: LinkPlace) -> Int {
    places.append(place)
    rowsOfLink.append([])
    return places.count - 1
  }

  package mutating func append(link: Int, time: Int64, rssi: Double, channel: UInt8) {
    rowsOfLink[link].append(count)
    self.link.append(Int32(truncatingIfNeeded: link))
    self.time.append(time)
    self.rssi.append(rssi)
    self.channel.append(channel)
  }

  /// Puts the rows of each link into order of time; equal times keep theirs.
  mutating func sortLinks() {
    for link in rowsOfLink.indices {
      rowsOfLink[link].sort { (time[$0], $0) < (time[$1], $1) }
    }
  }

  /// Replaces the levels of rows by nothing, so that no filter sees them.
  mutating func hide(_ isHidden: [Bool]) {
    for row in rssi.indices where isHidden[row] { rssi[row] = .nan }
  }

  /// The same sightings with other levels; those without a level stay without.
  func with(levels: (_ link: Int, _ time: Int64) -> Double) -> TrialLevels {
    var copy = self
    for rows in rowsOfLink {
      for row in rows where !rssi[row].isNaN { copy.rssi[row] = levels(Int(link[row]), time[row]) }
    }
    return copy
  }

  /// The rows at which a filter has seen so many levels of the link before, in its trace.
  func settled(after settling: Int) -> [Bool] {
    var isSettled = Array(repeating: false, count: count)
    for rows in rowsOfLink {
      var seen = 0
      for row in rows where !rssi[row].isNaN {
        isSettled[row] = seen >= settling
        seen += 1
      }
    }
    return isSettled
  }
}
