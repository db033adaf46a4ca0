import Foundation
import Sightings
import Support
import TestSupport
import Testing
import TraceStore

/// A radio map in a file: as it was written, for other programs, and refused where it cannot be
/// read.
@Suite struct StoredRadioMapTests {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path("map.h5")
  }

  private func map() -> StoredRadioMap {
    var map = StoredRadioMap(role: .beacon)
    map.variation.kernel = "exponential"
    map.variation.spread = 4.1
    (map.variation.length, map.variation.anchorOffset) = (2.3, 1.5)
    (map.variation.recordingOffset, map.variation.placeNoise) = (0.1, 1 / 3)
    map.variation.packetNoise = 3.7
    (map.variation.nearNoise, map.variation.nearLength) = (3.8, 1.9)
    map.dispersion = 1.5
    (map.commonVariance, map.isSpace, map.height, map.group) = (1.25, true, 0.5, "室")
    map.settings = ["epoch": "2s", "levels": "raw"]
    var anchor = StoredRadioMap.Anchor(node: 1)
    (anchor.measuredPower, anchor.exponent, anchor.sigma) = (-59.125, 2.1, 4.7)
    (anchor.packetSigma, anchor.heightDifference) = (2.9, 1.2)
    (anchor.rate, anchor.sensitivity) = (4.5, -93)
    map.anchors = [anchor, StoredRadioMap.Anchor(node: 0)]
    var place = StoredRadioMap.Place(x: 1.1, y: -2.2, recording: 0)
    place.height = 0.7
    (place.middleX, place.middleY, place.reachX, place.reachY) = (1, -2, 0.5, 0.25)
    map.places = [place, StoredRadioMap.Place(x: 3, y: 4, recording: 7)]
    map.levels = [
      .init(place: 0, anchor: 0, rssi: -60.1, packets: 12),
      .init(place: 0, anchor: 1, rssi: -71, packets: 1),
      .init(place: 1, anchor: 1, rssi: -80.25, packets: 3),
    ]
    map.sources = [
      .init(
        trace: "walk", node: "tag", halvings: 2, times: [-5, 1_700_000_000_123],
        levels: [-60, -61.5], links: [3, 4_000_000_000]),
      .init(trace: "other", node: "tag", halvings: 0, times: [], levels: [], links: []),
    ]
    return map
  }

  private func write(_ map: StoredRadioMap) throws {
    var heading = TraceHeading(provenance: [
      Provenance(stage: "map", toolVersion: "1", commandLine: "rssi map", inputs: [])
    ])
    heading.radioMap = map
    try TraceSink(path: path, heading: heading).finish(Catalogue())
  }

  /// Changes the file with h5py.
  private func change(_ script: String) throws {
    let result = try runPython(
      "import sys, h5py\nf = h5py.File(sys.argv[1], 'r+')\n\(script)\nf.close()", [path])
    try #require(result.exitCode == 0, "\(result.error)")
  }

  @Test func `is read back to the last bit, with every value that is missing`() throws {
    let written = map()
    try write(written)
    try expect(TraceReader(path: path).radioMap(), is: written)
  }

  @Test func `floors and durations of a building are read back`() throws {
    var written = map()
    written.isOfBuilding = true
    (written.places[0].floor, written.places[0].seconds) = (1, 2.5)
    (written.exponents.reception, written.exponents.levels) = (0.3, 0.25)
    (written.exponents.window, written.exponents.filter) = (0.85, 0.7)
    written.exponents.smoother = 0.45
    try write(written)
    try expect(TraceReader(path: path).radioMap(), is: written)
  }

  @Test func `a trace without one, and another program's group of the name, have none`() throws {
    _ = try SampleTrace(path, rows: 3)
    #expect(try TraceReader(path: path).radioMap() == nil)
    try change("f.create_group('radio_map')['x'] = [1]")
    #expect(try TraceReader(path: path).radioMap() == nil)
  }

  @Test(arguments: [
    ("f['radio_map'].attrs['format_version'] = 4", "update rssi"),
    ("del f['radio_map'].attrs['located']", "damaged"),
    ("del f['radio_map/levels/rssi_dbm']", "rssi_dbm"),
    ("f['radio_map/levels/place'].resize((1 << 40,))", "declares"),
    ("f['radio_map/places/x_m'].resize((1,))", "x_m"),
    ("f['radio_map/readings/source'][0] = 9", "source 9"),
  ])
  func `a later format and damage are refused with the name of the file`(
    script: String, words: String
  ) throws {
    try write(map())
    try change(script)
    do {
      _ = try TraceReader(path: path).radioMap()
      Issue.record("\(script) was read")
    } catch {
      #expect(error.kind == .badInput, "\(error)")
      #expect(error.description.contains(path) && error.description.contains(words), "\(error)")
    }
  }

  @Test func `a map of format 1 has its kernel and no stretches`() throws {
    var written = map()
    try write(written)
    try change(
      """
      g = f['radio_map']
      g.attrs['format_version'] = 1
      for name in ('kernel', 'near_noise_db', 'near_length_m'): del g.attrs[name]
      del g['readings']['link']
      for name in ('middle_x_m', 'middle_y_m', 'reach_x_m', 'reach_y_m'): del g['places'][name]
      """)
    written.variation.kernel = "matern-3/2"
    (written.variation.nearNoise, written.variation.nearLength) = (.nan, .nan)
    for index in written.places.indices {
      (written.places[index].middleX, written.places[index].middleY) = (.nan, .nan)
      (written.places[index].reachX, written.places[index].reachY) = (.nan, .nan)
    }
    written.sources[0].links = [0, 0]
    try expect(TraceReader(path: path).radioMap(), is: written)
  }

  @Test func `packing keeps it`() throws {
    let written = map()
    try write(written)
    let reader = try TraceReader(path: path)
    let other = directory.path("packed.h5")
    try TraceStore.pack(
      reader, to: other,
      adding: Provenance(stage: "pack", toolVersion: "1", commandLine: "rssi pack", inputs: []))
    try expect(TraceReader(path: other).radioMap(), is: written)
  }

  private func expect(_ found: StoredRadioMap?, is written: StoredRadioMap) throws {
    var (found, written) = (try #require(found), written)
    #expect(found.settings == written.settings)
    // A dictionary has no order; NaN differs from itself, its description does not.
    (found.settings, written.settings) = ([:], [:])
    #expect("\(found)" == "\(written)")
  }
}
