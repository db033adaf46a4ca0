import NumericalMethods

/// The places and poses that stations of several links or visits share.
///
/// A body or wall beside a mark shadows every beacon that is tested there, and every visit to it, so
/// readings of one place are not independent. The place of a station follows from what its
/// recording has:
///
/// - **Known places**: the square metre of the moving node. On a walk it is a place of one link,
///   because shadowing depends on both ends.
/// - **Known distances only**: the mark of one distance in one series, whichever beacon or receiver
///   is there.
///
/// A pose is an orientation of the node or its holder at all marks of a series: the named pose of a
/// stay, or else its ordinal among the visits of its link to that mark. Known places have none.
struct StationPlaces {
  /// The number of each station's place, from 0.
  let places: [Int]
  /// The number of the area of each station's place: that place, or, if any readings are of a walk,
  /// its ``Station/area``, because adjacent metres of a walk share their shadowing. Of 100 simulated
  /// corridors, walked six times with shadowing that is correlated over 2 m, squares of 1, 2, 4 and
  /// 6 m hold the exponent in 84, 89, 95 and 97 %.
  let areas: [Int]
  /// The number of each station's pose.
  let poses: [Int]
  /// The number of the readings of each station that have a level of their own: those of a walk, or
  /// of a link in one pose.
  let sessions: [Int]
  /// The number of each station's link at its place.
  let spots: [Int]

  private struct Place: Hashable {
    var link: [String] = []
    var series = ""
    var distance = 0.0
    var cell: SIMD3<Int32>?
  }

  init(_ stations: [Station]) {
    let hasWalks = stations.contains { $0.walk != nil }
    places = numbered(stations.map { Self.place($0, link: $0.walk == nil ? [] : $0.link, $0.cell) })
    areas = hasWalks ? numbered(stations.map { Self.place($0, link: [], $0.area) }) : places
    let poses = numbered(Self.poses(of: stations))
    self.poses = poses
    sessions = numbered(
      stations.enumerated().map { index, station in
        station.walk == nil ? station.link + ["\(poses[index])"] : ["\(station.position)"]
      })
    let places = places
    spots = numbered(stations.enumerated().map { $1.link + ["\(places[$0])"] })
  }

  private static func place(_ station: Station, link: [String], _ cell: SIMD3<Int32>?) -> Place {
    cell == nil
      ? Place(series: station.series, distance: station.distance) : Place(link: link, cell: cell)
  }

  /// Returns the name of each station's pose, in its series.
  private static func poses(of stations: [Station]) -> [[String]] {
    struct Mark: Hashable {
      var link: [String]
      var place: Place
    }
    var visits: [Mark: [Int]] = [:]
    for (index, station) in stations.enumerated() where station.cell == nil {
      let place = Place(series: station.series, distance: station.distance)
      visits[Mark(link: station.link, place: place), default: []].append(index)
    }
    var poses = stations.map { $0.cell == nil ? [$0.series, $0.pose] : [] }
    for visits in visits.values {
      let ordered = visits.sorted {
        (stations[$0].span?.lowerBound ?? 0, $0) < (stations[$1].span?.lowerBound ?? 0, $1)
      }
      for (ordinal, index) in ordered.enumerated() where stations[index].pose.isEmpty {
        poses[index] = [stations[index].series] + stations[index].link + ["\(ordinal)"]
      }
    }
    return poses
  }
}

extension Station {
  var link: [String] { [beacon, receiver] }
}
