import Geometry
import PathLoss
import Positioning
import Sightings
import TraceStore

extension StoredRadioMap {
  /// Returns the reason why the map cannot be used, in words; nil if it is intact.
  ///
  /// - Parameter catalogue: the tables of its file.
  func problem(in catalogue: Catalogue) -> String? {
    let nodes = role == .receiver ? catalogue.beacons : catalogue.receivers
    if !variation.isUsable { return "the numbers of the variation are out of range" }
    if isOfBuilding, !exponents.isUsable { return "its exponents are out of range" }
    if !(height.isNaN || abs(height) <= 1e6) { return "its height is out of range" }
    for (row, anchor) in anchors.enumerated() {
      guard nodes.indices.contains(Int(anchor.node)),
        isOfBuilding || nodes[Int(anchor.node)].isAnchor
      else { return "row \(row) of /radio_map/anchors has no node at a known place" }
      guard anchor.isUsable || isOfBuilding && anchor.measuredPower.isNaN else {
        return "row \(row) of /radio_map/anchors has implausible constants"
      }
    }
    guard Set(anchors.map(\.node)).count == anchors.count else {
      return "/radio_map/anchors contains a node twice"
    }
    let row = places.firstIndex {
      !($0.x.magnitude <= Circle.longest && $0.y.magnitude <= Circle.longest)
        || !($0.height.isNaN || $0.height.magnitude <= Circle.longest)
        || !($0.stretch?.isOnEarth ?? true)
        || !($0.floor.map { catalogue.floors.indices.contains(Int($0)) } ?? true)
        || !($0.seconds.isNaN || (0...1e9).contains($0.seconds))
    }
    if let row { return "row \(row) of /radio_map/places has no valid place" }
    return problemOfLevels ?? problemOfSources
  }

  private var problemOfLevels: String? {
    var last: UInt32 = 0
    for (row, level) in levels.enumerated() {
      guard places.indices.contains(Int(level.place)), level.place >= last,
        anchors.indices.contains(Int(level.anchor))
      else { return "row \(row) of /radio_map/levels refers to a missing place or anchor" }
      guard level.rssi.magnitude <= 1000, level.packets > 0 else {
        return "row \(row) of /radio_map/levels has no level"
      }
      last = level.place
    }
    return levels.count < RadioMap.fewestLevels ? "it has fewer than three levels" : nil
  }

  private var problemOfSources: String? {
    sources.contains {
      ReadingSample(
        capacity: $0.times.count, halvings: Int($0.halvings), times: $0.times, levels: $0.levels,
        links: $0.links)
        == nil
    } ? "/radio_map/readings has implausible times or levels" : nil
  }
}

extension StoredRadioMap.Variation {
  /// A Boolean value that is true if the kernel is known, and all numbers are above 0 and within the
  /// range of the search.
  var isUsable: Bool {
    LevelVariation.Kernel(rawValue: kernel) != nil
      && [spread, length, anchorOffset, recordingOffset, placeNoise, packetNoise]
        .allSatisfy { (1e-9...1e9).contains($0) }
      && (nearNoise.isNaN && nearLength.isNaN
        || [nearNoise, nearLength].allSatisfy { (1e-9...1e9).contains($0) })
  }
}

extension StoredRadioMap.Exponents {
  fileprivate var isUsable: Bool {
    [reception, levels, window, filter, smoother].allSatisfy { (1e-3...1e3).contains($0) }
  }
}

extension StoredRadioMap.Anchor {
  fileprivate var isUsable: Bool {
    measuredPower.magnitude <= 1000 && (1e-3...1e3).contains(exponent)
      && (1e-6...1e6).contains(sigma) && (packetSigma.isNaN || (0...sigma).contains(packetSigma))
      && heightDifference.magnitude <= Circle.longest
      && (rate.isNaN || (0...1e9).contains(rate))
      && (sensitivity.isNaN || sensitivity.magnitude <= 1000)
  }
}
