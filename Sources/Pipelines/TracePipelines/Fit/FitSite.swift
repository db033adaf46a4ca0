import Sightings
import Sites
import Support

/// What a fit takes from a site file: the places of anchors, and the walls.
struct FitSite {
  let site: Site
  let walls: WallCrossings

  init(path: String) throws { try self.init(Site(path: path)) }

  init(_ site: Site) throws(RSSIError) {
    self.site = site
    walls = try WallCrossings(site.walls)
  }

  /// A warning where the site has anchors and none of them is a node of the recordings; nil where
  /// one is.
  func warning(beacons: Set<String>, receivers: Set<String>) -> String? {
    let anchors = site.anchors
    guard !anchors.isEmpty,
      anchors.allSatisfy({ !($0.role == .beacon ? beacons : receivers).contains($0.node) })
    else { return nil }
    return
      "warning: none of the \(anchors.count) anchors of the site was heard; heard: "
      + listed((beacons.sorted() + receivers.sorted()))
  }
}
