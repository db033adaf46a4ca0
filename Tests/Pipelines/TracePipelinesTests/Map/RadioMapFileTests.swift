import Evaluation
import Foundation
import Geometry
import PathLoss
import Positioning
import Sightings
import Support
import TestSupport
import Testing
import TraceStore

@testable import TracePipelines

@Suite("The file of a radio map")
struct RadioMapFileTests {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path("map.h5")
  }

  private let beacons = [
    anchorNode("a", x: 0, y: 0), Node(id: "unknown", kind: ""), anchorNode("b", x: 4, y: 0, z: 2),
  ]

  private func map() -> StoredRadioMap {
    var map = StoredRadioMap(role: .receiver)
    map.variation.spread = 4
    (map.variation.length, map.variation.anchorOffset) = (2, 2)
    (map.variation.recordingOffset, map.variation.placeNoise) = (1, 2)
    map.variation.packetNoise = 3.5
    (map.variation.nearNoise, map.variation.nearLength) = (3.5, 1.5)
    map.height = 1
    map.anchors = [UInt32(0), 2].map { node in
      var anchor = StoredRadioMap.Anchor(node: node)
      (anchor.measuredPower, anchor.exponent, anchor.sigma) = (-60, 2, 4)
      if node == 2 { anchor.heightDifference = 1 }
      return anchor
    }
    (map.anchors[0].rate, map.anchors[0].sensitivity) = (5, -90)
    map.places = [1.0, 2, 3].map { StoredRadioMap.Place(x: $0, y: 1, recording: 0) }
    map.places[1].height = 1.5
    map.levels = [
      .init(place: 0, anchor: 0, rssi: -61, packets: 2),
      .init(place: 1, anchor: 0, rssi: -66, packets: 2),
      .init(place: 1, anchor: 1, rssi: -64, packets: 1),
      .init(place: 2, anchor: 1, rssi: -62, packets: 4),
    ]
    map.sources = [
      .init(
        trace: "t", node: "phone", halvings: 1, times: [1, 2], levels: [-61, -62], links: [1, 1])
    ]
    return map
  }

  private func file(_ map: StoredRadioMap) throws -> RadioMapFile {
    var heading = TraceHeading(provenance: [
      Provenance(stage: "map", toolVersion: "1", commandLine: "rssi map", inputs: [])
    ])
    heading.radioMap = map
    var catalogue = Catalogue()
    catalogue.beacons = beacons
    try TraceSink(path: path, heading: heading).finish(catalogue)
    return try RadioMapFile(path: path)
  }

  private func knowledge(
    _ file: RadioMapFile, _ anchors: SiteAnchors, power: Double = -60,
    _ plan: SitePlan = SitePlan(nil)
  ) throws -> SiteKnowledge {
    var anchors = anchors
    let survey = try file.survey(among: &anchors, at: plan)
    return SiteKnowledge(
      plan, anchors: anchors,
      constants: try LinkConstants(
        calibration([], pooled: fittedGroup("pooled", power: power)), of: "c.json"),
      survey: survey)
  }

  @Test func `its anchors get the numbers of the run, and bring what was learned`() throws {
    let run = SiteAnchors(beacons: [
      anchorNode("b", x: 4, y: 0, z: 2), anchorNode("new", x: 9, y: 9),
    ])
    let file = try file(map())
    #expect(file.anchors.map(\.id) == ["a", "b"] && file.readings.map(\.halvings) == [1])
    let known = try knowledge(file, run).surroundings(of: "phone", .receiver, in: "u", height: 1)
    #expect(known.anchors.map(\.place.x) == [4, 9, 0])
    #expect(known.anchors.map(\.reception) == [nil, nil, .init(rate: 5, sensitivity: -90)])
    #expect(known.survey.map(\.place.x) == [1, 2, 3])
    #expect(known.survey.map { $0.levels.map(\.anchor) } == [[2], [2, 0], [0]])
    #expect(known.survey.map(\.height) == [nil, 0.5, nil])
    #expect(known.variation?.near == NearVariation(deviation: 3.5, length: 1.5))
    #expect(known.variation?.spread == 4 && known.learnedMaps.plane?.variation == known.variation)
  }

  @Test func `a map of a building is refused on a plane, and floors that it does not have`() throws
  {
    var map = map()
    map.isOfBuilding = true
    #expect(throws: RSSIError.self) { try self.file(map) }
    for exponent in [
      \StoredRadioMap.Exponents.reception, \.levels, \.window, \.filter, \.smoother,
    ] { map.exponents[keyPath: exponent] = 0.5 }
    let file = try file(map)
    #expect(file.stored.isOfBuilding)
    var anchors = SiteAnchors()
    let error = #expect(throws: RSSIError.self) {
      try file.survey(among: &anchors, at: SitePlan(nil))
    }
    #expect(error?.description.contains("is of a building") == true)
    map.places[0].floor = 1
    #expect(throws: RSSIError.self) { try self.file(map) }
  }

  @Test func `other uses than those it was learned for are refused by name`() throws {
    let file = try file(map())
    func problem(
      _ anchors: [Node], power: Double = -60, role: NodeRole = .receiver, height: Double? = 1,
      dimensions: Surroundings.Dimensions = .plane
    ) -> String {
      do {
        _ = try knowledge(
          file, SiteAnchors(beacons: anchors), power: power,
          SitePlan(nil, dimensions: dimensions)
        ).surroundings(of: "phone", role, in: "u", height: height)
        return ""
      } catch {
        #expect((error as? RSSIError)?.kind == .badInput && "\(error)".contains(path), "\(error)")
        return "\(error)"
      }
    }
    let own = [beacons[0], beacons[2]]
    #expect(problem(own) == "")
    #expect(problem([]) == "")
    #expect(
      problem([beacons[0], anchorNode("b", x: 4, y: 1, z: 2)]).contains("b was at (4, 0, 2)"))
    #expect(problem([beacons[0], anchorNode("b", x: 4, y: 0)]).contains("is at (4, 0) here"))
    #expect(problem([anchorNode("c", x: 0, y: 0)]).contains("another site"))
    #expect(problem(own, power: -61).contains("-60.00 dBm at 1 m"))
    #expect(problem(own, role: .beacon).contains("beacons move here"))
    #expect(problem(own, height: nil) == "")
    #expect(problem(own, height: 1.5).contains("these are at 1.5 m"))
    #expect(problem(own, dimensions: .space).contains("`dimensions` 2"))
  }

  @Test func `numbers that no map has are refused`() throws {
    let changes: [((inout StoredRadioMap) -> Void, String)] = [
      ({ $0.variation.length = .infinity }, "variation"),
      ({ $0.variation.spread = 0 }, "variation"),
      ({ $0.variation.kernel = "cubic" }, "variation"),
      ({ $0.variation.nearLength = .nan }, "variation"),
      ({ $0.variation.nearNoise = 0 }, "variation"),
      ({ $0.height = 1e9 }, "height"), ({ $0.anchors[0].node = 1 }, "row 0"),
      ({ $0.anchors[1].node = 3 }, "row 1"), ({ $0.anchors[1].node = 0 }, "twice"),
      ({ $0.anchors[0].exponent = .nan }, "constants"), ({ $0.anchors[0].sigma = -1 }, "constants"),
      ({ $0.anchors[0].packetSigma = 5 }, "constants"), ({ $0.anchors[0].rate = -1 }, "constants"),
      ({ $0.places[2].x = .nan }, "row 2"), ({ $0.places[0].y = 1e300 }, "row 0"),
      ({ ($0.places[1].middleX, $0.places[1].middleY) = (1, 1) }, "row 1"),
      ({ $0.levels[1].place = 3 }, "row 1"), ({ $0.levels[2].place = 0 }, "row 2"),
      ({ $0.levels[0].anchor = 2 }, "row 0"), ({ $0.levels[3].rssi = .nan }, "row 3"),
      ({ $0.levels[3].packets = 0 }, "row 3"), ({ $0.levels.removeLast(2) }, "fewer than three"),
      ({ $0.sources[0].halvings = 65 }, "readings"), ({ $0.sources[0].levels[0] = 3 }, "readings"),
      ({ $0.sources[0].times[0] = .max }, "readings"),
    ]
    for (change, words) in changes {
      var map = map()
      change(&map)
      do {
        _ = try file(map)
        Issue.record("\(words) was read")
      } catch let error as RSSIError {
        #expect(error.kind == .badInput && error.description.contains(words), "\(error)")
      }
    }
  }

  @Test func `files with changed bytes are read or refused, never worse`() throws {
    _ = try file(map())
    let whole = try Data(contentsOf: URL(filePath: path))
    var generator = SeededGenerator(seed: 21)
    var refused = 0
    for _ in 0..<300 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      if Bool.random(using: &generator) {
        bytes.removeLast(Int.random(in: 0..<bytes.count / 2, using: &generator))
      }
      let mutant = directory.path("mutant.h5")
      try bytes.write(to: URL(filePath: mutant))
      do {
        let read = try RadioMapFile(path: mutant)
        var anchors = SiteAnchors()
        _ = try read.survey(among: &anchors, at: SitePlan(nil))
      } catch let error as RSSIError {
        #expect(error.description.contains(mutant), "\(error)")
        refused += 1
      }
    }
    #expect(refused > 100)
  }
}
