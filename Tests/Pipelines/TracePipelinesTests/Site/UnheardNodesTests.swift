import Geometry
import Sites
import Testing

@testable import TracePipelines

@Suite("Names of a table that the recordings do not have")
struct UnheardNodesTests {
  private func doubts(_ names: [String], heard: [String]) -> [String] {
    unheardNodes(names, among: heard, as: "beacons", of: "in nodes.csv")
  }

  @Test func `nothing is noted if all were heard, or if some are elsewhere`() {
    #expect(doubts([], heard: ["a"]).isEmpty)
    #expect(doubts(["kitchen", "hall"], heard: ["hall", "kitchen", "stranger"]).isEmpty)
    #expect(doubts(["kitchen", "hall"], heard: ["hall", "phone"]).isEmpty)
    // Near to a name that is in the table itself.
    #expect(doubts(["ibeacon:1:1", "ibeacon:1:2"], heard: ["ibeacon:1:1"]).isEmpty)
  }

  @Test func `heard nodes are listed if none of the table was heard`() {
    let none = doubts(["a", "b"], heard: ["x", "y"])
    #expect(none.count == 1 && none[0].contains("none of the 2") && none[0].hasSuffix(": x, y"))
    let near = doubts(["kitchn"], heard: ["hall", "kitchen"])
    #expect(near.count == 1 && near[0].contains("hall, kitchen"))
    #expect(near.first?.contains("mean \"kitchen\"?") == true)
  }

  @Test func `a single name that nearly is one that was heard`() {
    let found = doubts(["hall", "kitchn"], heard: ["hall", "kitchen"])
    #expect(found.count == 1 && found[0].hasPrefix("\"kitchn\", one of"))
    #expect(found.first?.contains("mean \"kitchen\"?") == true)
  }

  @Test func `anchors of a site are compared with nodes of the roles that the site has`() {
    var site = Site()
    site.anchors = [Site.Anchor(node: "gateway", role: .receiver, place: Point(x: 0, y: 0))]
    let unheard = site.unheardAnchors(beacons: ["tag"], receivers: ["phone"])
    #expect(unheard.count == 1 && unheard[0].hasSuffix("heard: phone"))
    #expect(site.unheardAnchors(beacons: [], receivers: ["gateway"]).isEmpty)
  }
}
