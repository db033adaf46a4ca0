import Geometry
import Sites
import Testing

@testable import TracePipelines

@Suite("Names of a table that the recordings do not have")
struct UnheardNodesTests {
  private func doubts(_ names: [String], heard: [String]) -> [String] {
    unheardNodes(names, among: heard, as: "beacons", of: "in nodes.csv")
  }

  @Test("nothing is said where all were heard, or where some are elsewhere")
  func ordinary() {
    #expect(doubts([], heard: ["a"]).isEmpty)
    #expect(doubts(["kitchen", "hall"], heard: ["hall", "kitchen", "stranger"]).isEmpty)
    #expect(doubts(["kitchen", "hall"], heard: ["hall", "phone"]).isEmpty)
    // Near to a name that is in the table itself.
    #expect(doubts(["ibeacon:1:1", "ibeacon:1:2"], heard: ["ibeacon:1:1"]).isEmpty)
  }

  @Test("where none was heard, what was is listed")
  func none() {
    #expect(
      doubts(["a", "b"], heard: ["x", "y"]) == [
        "none of the 2 beacons in nodes.csv was heard; heard: x, y"
      ])
    #expect(
      doubts(["kitchn"], heard: ["hall", "kitchen"]) == [
        "none of the 1 beacons in nodes.csv was heard; heard: hall, kitchen "
          + "(did you mean \"kitchen\"?)"
      ])
  }

  @Test("a single name that nearly is one that was heard")
  func misspelled() {
    #expect(
      doubts(["hall", "kitchn"], heard: ["hall", "kitchen"]) == [
        "\"kitchn\", one of the beacons in nodes.csv, was not heard (did you mean \"kitchen\"?)"
      ])
  }

  @Test("anchors of a site are compared with nodes of the roles that the site has")
  func site() {
    var site = Site()
    site.anchors = [Site.Anchor(node: "gateway", role: .receiver, place: Point(x: 0, y: 0))]
    #expect(
      site.unheardAnchors(beacons: ["tag"], receivers: ["phone"]) == [
        "none of the 1 anchors of the site was heard; heard: phone"
      ])
    #expect(site.unheardAnchors(beacons: [], receivers: ["gateway"]).isEmpty)
  }
}
