import Foundation
import Sightings
import Support
import TestSupport
import Testing
import TraceStore

@Suite struct FilteredWriterTests {
  let directory: TemporaryDirectory
  let path: String
  let sample: SampleTrace

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path("trace.h5")
    sample = try SampleTrace(path, rows: 200)
  }

  private var levels: [Float] {
    sample.rows.rssi.indices.map { $0 % 9 == 0 ? .nan : -Float($0) / 3 }
  }

  private func bits(_ values: [Float]) -> [UInt32] { values.map { $0.isNaN ? 0 : $0.bitPattern } }

  @Test(arguments: [true, false])
  func `adds levels row for row and keeps the rest`(inPlace: Bool) throws {
    let output = inPlace ? path : directory.path("filtered.h5")
    try addFilter("kalman", levels, to: path, output: output)
    let reader = try TraceReader(path: output)
    #expect(reader.filterNames() == ["kalman"])
    #expect(bits(try reader.sightings(filtered: "kalman", rows: 7).rssi) == bits(levels))
    #expect(try reader.sightings().numbers == sample.rows.numbers)
    #expect("\(reader.catalogue)" == "\(sample.catalogue)")
    #expect(reader.payloads().count == sample.payloads.count)
    #expect(try directory.names() == (inPlace ? ["trace.h5"] : ["filtered.h5", "trace.h5"]))
  }

  @Test func `leaves the source alone`() throws {
    let before = try Data(contentsOf: URL(filePath: path))
    try addFilter("kalman", levels, to: path, output: directory.path("filtered.h5"))
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test func `replaces a filter of its name only`() throws {
    try addFilter("kalman", levels, to: path)
    try addFilter("median", levels.map { $0 - 1 }, to: path)
    try addFilter("kalman", levels.map { $0 - 2 }, to: path)
    let reader = try TraceReader(path: path)
    #expect(reader.filterNames() == ["kalman", "median"])
    #expect(bits(try reader.sightings(filtered: "kalman").rssi) == bits(levels.map { $0 - 2 }))
    #expect(bits(try reader.sightings(filtered: "median").rssi) == bits(levels.map { $0 - 1 }))
  }

  @Test func `appends to the provenance`() throws {
    try addFilter("kalman", levels, to: path)
    try addFilter("median", levels, to: path)
    let provenance = try TraceReader(path: path).provenance
    #expect(provenance.map(\.stage) == ["import", "filter", "filter"])
    #expect(provenance.first == SampleTrace.provenance)
    #expect(provenance.last?.commandLine == "rssi filter --filter median")
  }

  @Test func `each links parameters are kept`() throws {
    var first = FilteredLink(beacon: 3, receiver: 1, samples: 5)
    (first.q, first.r, first.logLikelihood, first.origin) = (0.5, 9, -12.5, .pooled)
    let links = [first, FilteredLink(beacon: 0, receiver: 0, samples: 0)]
    try addFilter("kalman", levels, to: path, links: links)
    let result = try runPython(
      """
      import sys, h5py
      with h5py.File(sys.argv[1]) as f:
          for name in ['beacon', 'receiver', 'samples', 'q_db2_per_s', 'r_db2', 'log_likelihood']:
              print(name, *f['filtered/kalman/links'][name][:].tolist())
      """, [path])
    #expect(
      result.output == """
        beacon 3 0
        receiver 1 0
        samples 5 0
        q_db2_per_s 0.5 nan
        r_db2 9.0 nan
        log_likelihood -12.5 nan

        """)
  }

  @Test func `a filter of too few rows is not given out`() throws {
    let before = try Data(contentsOf: URL(filePath: path))
    let error = #expect(throws: RSSIError.self) {
      try addFilter("kalman", Array(levels.dropLast()), to: path)
    }
    #expect(error?.description.contains(path) == true)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    #expect(try directory.names() == ["trace.h5"])
  }

  @Test func `a filter that fails half way leaves the trace as it was`() throws {
    let before = try Data(contentsOf: URL(filePath: path))
    do {
      var writer = try FilteredWriter(
        copying: try TraceReader(path: path), to: path, name: "kalman", chain: "",
        provenance: SampleTrace.provenance)
      try writer.append(rssi: [1], variance: [1])
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    #expect(try directory.names() == ["trace.h5"])
  }

  @Test func `a filter that the trace does not hold is named`() throws {
    let reader = try TraceReader(path: path)
    let error = #expect(throws: RSSIError.self) { try reader.sightings(filtered: "wavelet") }
    #expect(error?.kind == .badInput)
    #expect(error?.description.contains(path) == true)
    #expect(error?.description.contains("wavelet") == true)
  }
}
