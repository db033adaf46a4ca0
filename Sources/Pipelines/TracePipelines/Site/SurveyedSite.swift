import Evaluation
import Geometry
package import Positioning
package import Sightings
import Support

/// The levels of a node at known places, to learn a site from.
package struct SurveyTrack {
  package var target: AskedTarget
  /// The target's epochs that may be learned from.
  package var epochs: [Int]

  package init(_ target: AskedTarget, epochs: [Int]? = nil) {
    self.target = target
    self.epochs = epochs ?? Array(target.epochs.indices)
  }
}

/// The levels at known places, from which a site is learned.
package struct SurveyedSite: Sendable {
  /// The levels at places by role, with heights above the site's zero of heights.
  package private(set) var places: [NodeRole: [SurveyPoint]] = [:]
  /// The receptions of the anchors by which nodes of a role are located, by their numbers.
  private var receptions: [NodeRole: [Anchor.Reception?]] = [:]
  /// The radio map that was learned from it before; nil = none.
  let learned: LearnedMap?

  /// - Parameters:
  ///   - anchors: the anchors by which the tracks' levels are numbered.
  ///   - isInBuilding: true to keep places at which nothing was received, whose silence is
  ///     evidence there, but no single readings.
  package init(
    _ tracks: [SurveyTrack], among anchors: SiteAnchors, isInBuilding: Bool = false
  ) {
    learned = nil
    for role in [NodeRole.receiver, .beacon] {
      let tracks = tracks.filter { $0.target.role == role }
      guard !tracks.isEmpty else { continue }
      places[role] = Self.places(tracks, isInBuilding: isInBuilding)
      receptions[role] = Self.receptions(tracks, of: anchors.locating(role))
    }
  }

  /// Creates the survey of a radio map.
  ///
  /// - Parameter receptions: the receptions by anchor; there may be fewer than anchors.
  init(_ learned: LearnedMap, places: [SurveyPoint], receptions: [Anchor.Reception?]) {
    self.learned = learned
    self.places[learned.role] = places
    self.receptions[learned.role] = receptions
  }

  /// Returns the reception of an anchor by nodes of a role; nil if it is not known.
  package func reception(ofAnchor number: Int, _ role: NodeRole) -> Anchor.Reception? {
    guard let receptions = receptions[role], receptions.indices.contains(number) else { return nil }
    return receptions[number]
  }

  /// Returns the median height in metres of the places that nodes of a role visited, above the
  /// site's zero of heights; nil if none is known. A radio map keeps the height that it was learned
  /// with.
  func height(_ role: NodeRole) -> Double? {
    if let learned { return learned.height }
    return SortedSample((places[role] ?? []).compactMap(\.height)).quantile(0.5)
  }

  /// Returns the levels at places that nodes of a role visited, as algorithms get them.
  ///
  /// - Parameter reference: metres above the site's zero; nil = the places' heights do not count.
  func points(_ role: NodeRole, reference: Double?) -> [SurveyPoint] {
    let points = places[role] ?? []
    // Targets share the array of a survey without heights.
    guard points.contains(where: { $0.height != nil }) else { return points }
    return points.map { point in
      var point = point
      point.height = point.height.flatMap { height in reference.map { height - $0 } }
      return point
    }
  }

  /// The pause after which a survey on the move continues as another recording: the device may be
  /// carried differently afterwards. Between stops there is always a pause.
  private static let longestPause = 60 * Timestamp.second

  /// Returns the places of nodes of one role, with each stretch without a pause as a recording.
  private static func places(_ survey: [SurveyTrack], isInBuilding: Bool) -> [SurveyPoint] {
    var points: [SurveyPoint] = []
    var recording = -1
    for track in survey {
      var last: Int64?
      var course = SurveyCourse(track.target.truth)
      for index in track.epochs {
        let epoch = track.target.epochs[index]
        guard isInBuilding || !epoch.heard.levels.isEmpty else { continue }
        let isMoving = !epoch.heard.readings.isEmpty
        if last.map({ isMoving && epoch.heard.start - $0 > longestPause }) ?? true {
          recording += 1
        }
        last = epoch.heard.instant
        var point = SurveyPoint(
          place: epoch.truth, height: epoch.height, levels: epoch.heard.levels, trace: recording,
          stretch: epoch.stretch)
        if !isInBuilding {
          point.readings = epoch.heard.readings.compactMap { course.place($0) }
        }
        point.floor = epoch.floor ?? 0
        point.seconds = Double(epoch.heard.instant - epoch.heard.start) * 1e-9
        points.append(point)
      }
    }
    return points
  }

  /// A path, followed from reading to reading.
  private struct SurveyCourse {
    private let path: TruthPath
    private var last: (time: Int64, way: Double)?

    init(_ path: TruthPath) { self.path = path }

    /// Returns a reading with its place; nil outside the path.
    mutating func place(_ reading: Reading) -> PathReading? {
      guard let place = path.position(at: reading.time) else { return nil }
      let way = last.map { $0.way + (path.length(from: $0.time, to: reading.time) ?? 0) } ?? 0
      last = (reading.time, way)
      return PathReading(reading, at: place, way: way)
    }
  }

  /// Returns the rate at which each anchor at a known place is heard under good reception.
  private static func receptions(
    _ survey: [SurveyTrack], of anchors: [Node]
  ) -> [Anchor.Reception?] {
    let placed = anchors.indices.filter { anchors[$0].isAnchor }
    var windows = [[ReceptionWindow]](repeating: [], count: anchors.count)
    for track in survey {
      for index in track.epochs {
        let heard = track.target.epochs[index].heard
        // Readings begin at the end of the previous epoch's.
        let start = index > 0 ? track.target.epochs[index - 1].heard.instant : heard.start
        guard !heard.readings.isEmpty, heard.instant > start else { continue }
        let seconds = Double(heard.instant - start) / 1e9
        for anchor in placed {
          windows[anchor].append(ReceptionWindow(seconds: seconds, levels: []))
        }
        for reading in heard.readings where !windows[reading.anchor].isEmpty {
          windows[reading.anchor][windows[reading.anchor].count - 1].levels +=
            repeatElement(reading.rssi, count: reading.packets)
        }
      }
    }
    return Anchor.Reception.learned(from: windows)
  }
}
