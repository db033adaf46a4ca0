import Foundation
import TestSupport
import Testing

@Suite("rssi fit --picture")
struct FitPictureTests {
  /// A distance table: each beacon's readings at some distances, 12 at each, levels from a rule.
  private func table(
    _ folder: TemporaryDirectory, beacons: Int = 1, distances: [Double] = [0.5, 1, 2, 4, 8],
    readings: Int = 12
  ) throws -> String {
    var text = "series,time_s,receiver,beacon,distance_m,rssi_dbm\n"
    for beacon in 1...beacons {
      for (place, distance) in distances.enumerated() {
        for reading in 0..<readings {
          let time = 1_700_000_000 + Double(place) * 60 + Double(reading)
          let mean = -60.0 - Double(beacon) - 20 * log10(distance) + Double(place % 3) * 2
          let level = Int(mean.rounded()) + (reading * 7 + place) % 5 - 2
          text += "bench,\(time),phone,b\(beacon),\(distance),\(level)\n"
        }
      }
    }
    return try folder.write(text, to: "table-\(beacons)-\(distances.count)-\(readings).csv")
  }

  private func picture(
    _ folder: TemporaryDirectory, _ table: String, _ options: [String] = [], name: String = "p.svg"
  ) throws -> String {
    let path = folder.path(name)
    let result = try runProgram(
      builtProgram, ["fit", table, "--picture", path] + options, input: Data())
    try #require(result.exitCode == 0, "\(result.error)")
    #expect(result.error.contains("wrote \(path)"))
    return path
  }

  @Test func `has a caption, and draws each reading and each position once per panel`() throws {
    let folder = try TemporaryDirectory()
    let path = try picture(folder, try table(folder))
    let texts = try askPicture(path, "print('\\n'.join(texts))")
    for text in [
      "log-distance, least-squares: 60 readings at 5 positions", "distance (m)", "level (dBm)",
      "95 % of packets", "95 % of the curve", "packets", "mean of a position ± 1 sd",
      "residuals against distance", "residuals against time", "above the curve (dB)",
      "time since the start of its series (min)",
    ] {
      #expect(texts.contains(text), "\(text)")
    }
    // 60 readings in three panels, and the legend's.
    let raw = try askPicture(path, "print(len(dots(154, 154, 154)))")
    #expect(raw == ["181"])
    // 5 positions in two panels, 6 parts of the time of which all have readings but one, and three
    // entries of legends.
    let means = try askPicture(path, "print(len(dots(0, 114, 178)))")
    #expect(try #require(Int(means[0])) >= 10 + 5 + 3)
    #expect(try folder.names() == ["p.svg", "table-1-5-12.csv"])
  }

  @Test func `positions agree with numpy, by the ticks of the axes`() throws {
    let folder = try TemporaryDirectory()
    let table = try table(folder)
    let calibration = folder.path("c.json")
    let path = try picture(folder, table, ["-o", calibration])
    let answer = try askPicture(
      path,
      """
      rows = list(csv.DictReader(open(sys.argv[2])))
      d = np.array([float(r['distance_m']) for r in rows])
      level = np.array([float(r['rssi_dbm']) for r in rows])
      group = json.load(open(sys.argv[3]))['groups'][0]
      residual = level - group['measured_power_dbm'] + 10 * group['exponent'] * np.log10(d)
      wanted = [(np.log10(x), level[d == x].mean(), residual[d == x].mean()) for x in np.unique(d)]
      seen = np.array(dots(0, 114, 178))
      worst = []
      for panel, column in [(0, 1), (1, 2)]:
          x, y = scale('x', np.log10, panel), scale('y', float, panel)
          for want in wanted:
              worst.append(np.min(np.hypot((x(seen[:, 0]) - want[0]) * 20, y(seen[:, 1]) - want[column])))
      print(max(worst), len(worst))
      """, [table, calibration])
    let words = answer[0].split(separator: " ").compactMap { Double($0) }
    // A pixel is about 0.1 dB.
    #expect(words[0] < 0.2)
    #expect(words[1] == 10)
  }

  @Test func `the curve and its bands are those of Student's t`() throws {
    let folder = try TemporaryDirectory()
    let table = repositoryRoot.appending(path: "notebooks-data/example/distances.csv").path
    let calibration = folder.path("c.json")
    let path = try picture(folder, table, ["-o", calibration])
    let answer = try askPicture(
      path,
      """
      from scipy.stats import t
      group = json.load(open(sys.argv[2]))['groups'][0]
      error, freedom = group['standard_error'], group['degrees_of_freedom']
      quantile = t.ppf(0.975, min(freedom.values()))
      def wanted(log):
          x = -10 * log
          variance = (error['measured_power_dbm'] ** 2 + x ** 2 * error['exponent'] ** 2
                      + 2 * x * group['covariance_measured_power_exponent_db'])
          return (group['measured_power_dbm'] + group['exponent'] * x, quantile * np.sqrt(variance),
                  quantile * np.sqrt(variance + group['sigma_db'] ** 2))
      x, y = scale('x', np.log10, 0), scale('y', float, 0)
      for opacity, which in [('0.220000', 1), ('0.130000', 2)]:
          shape = max((p.attrib['points'] for p in root.iter(space + 'polygon')
                       if p.attrib.get('fill-opacity') == opacity), key=len)
          ends = np.array([numbers(w) for w in shape.split()])
          level, *halves = wanted(x(ends[:, 0]))
          print(len(ends), np.abs(np.abs(y(ends[:, 1]) - level) - halves[which - 1]).max())
      stroke = max((p.attrib['d'] for p in root.iter(space + 'path')
                    if numbers(p.attrib.get('stroke', '')) == [0, 114, 178]
                    and p.attrib['d'].count('M') == 1), key=len)
      line = np.array(numbers(stroke)).reshape(-1, 2)
      print(len(line), np.abs(y(line[:, 1]) - wanted(x(line[:, 0]))[0]).max())
      """, [calibration])
    let numbers = answer.map { $0.split(separator: " ").compactMap { Double($0) } }
    #expect(numbers.count == 3)
    for shape in numbers {
      #expect(shape[0] > 100)
      // A pixel is about 0.15 dB.
      #expect(shape[1] < 0.1)
    }
  }

  @Test func `a few groups have a panel and a colour each, and rows with their intervals`() throws {
    let folder = try TemporaryDirectory()
    let calibration = folder.path("c.json")
    let path = try picture(
      folder, try table(folder, beacons: 3), ["--by", "beacon", "-o", calibration])
    let texts = try askPicture(path, "print('\\n'.join(texts))")
    let file = try json(String(contentsOfFile: calibration, encoding: .utf8))
    let groups = try #require(file["groups"] as? [[String: Any]])
    #expect(groups.count == 3)
    for group in groups {
      let key = try #require(group["key"] as? String)
      // A panel, an entry of the legend, a row.
      #expect(texts.filter { $0 == key }.count == 3)
      let power = try #require(group["measured_power_dbm"] as? Double)
      let exponent = try #require(group["exponent"] as? Double)
      #expect(texts.contains(String(format: "%.1f", power)))
      #expect(texts.contains(String(format: "%.2f", exponent)))
      #expect(texts.contains { $0.hasPrefix(String(format: "P %.1f (se", power)) })
    }
    #expect(texts.filter { $0 == "95 % of the curve" }.count == 1)
    #expect(texts.contains("measured power, 95 % intervals"))
    let colours = try askPicture(
      path, "print(*[len(dots(*c)) >= 10 for c in [(0, 114, 178), (198, 80, 0), (0, 128, 94)]])")
    #expect(colours == ["True True True"])
  }

  @Test func `many groups are one curve, and the first forty have rows`() throws {
    let folder = try TemporaryDirectory()
    let path = try picture(
      folder, try table(folder, beacons: 43, readings: 3), ["--by", "beacon"])
    let texts = try askPicture(path, "print('\\n'.join(texts))")
    #expect(texts.contains { $0.hasSuffix("residuals of each") })
    #expect(texts.contains("measured power, 95 %; first 40 of 43"))
    #expect((1...43).count { texts.contains("b\($0)") } == 40)
    // In order of their keys as text.
    #expect(!texts.contains("b9"))
  }

  @Test func `a two-slope curve has its bend, and no bands`() throws {
    let folder = try TemporaryDirectory()
    let distances = [0.5, 0.7, 1, 1.4, 2, 2.8, 4, 5.6, 8, 11, 16, 22]
    let path = try picture(
      folder, try table(folder, distances: distances), ["--model", "two-slope"])
    let texts = try askPicture(path, "print('\\n'.join(texts))")
    #expect(texts.contains { $0.hasPrefix("P ") && $0.contains(" m, then ") })
    #expect(!texts.contains { $0.hasPrefix("95 %") })
  }

  @Test func `many readings are thinned evenly over the time`() throws {
    let folder = try TemporaryDirectory()
    let path = try picture(folder, try table(folder, distances: [1, 3], readings: 25_000))
    let texts = try askPicture(path, "print('\\n'.join(texts))")
    #expect(texts.contains { $0.contains("50000 readings at 2") })
    #expect(texts.contains("packets, one in 84"))
    // 50,000 readings are kept as every fourth; 12,500 of them drawn as every 32nd.
    let shares = try askPicture(
      path,
      """
      # The panel at the lower right, in which dots are spread.
      places = np.array(dots(154, 154, 154))
      right = places[(places[:, 1] > 500) & (places[:, 0] > 600)][:, 0]
      ends = right.min(), right.max()
      print(len(right), *np.histogram(right, 4, ends)[0])
      """)
    let counts = shares[0].split(separator: " ").compactMap { Int($0) }
    #expect(counts[0] == 391)
    #expect(counts.dropFirst().allSatisfy { (90...105).contains($0) })
  }

  @Test func `the same readings make the same bytes, and a picture changes no constants`() throws {
    let folder = try TemporaryDirectory()
    let table = try table(folder)
    let first = try picture(folder, table, ["-o", folder.path("c.json")])
    let second = try picture(folder, table, name: "q.svg")
    #expect(try Data(contentsOf: URL(filePath: first)) == Data(contentsOf: URL(filePath: second)))
    let plain = try json(try rssi("fit", table, "--json").output)
    let drawn = try json(String(contentsOfFile: folder.path("c.json"), encoding: .utf8))
    for key in ["groups", "pooled", "stations"] {
      #expect((plain[key] as? NSObject) == (drawn[key] as? NSObject), "\(key)")
    }
  }

  @Test func `a PNG is as wide as two pixels for each, a PDF is one`() throws {
    let folder = try TemporaryDirectory()
    let table = try table(folder)
    let png = [UInt8](
      try Data(contentsOf: URL(filePath: try picture(folder, table, name: "p.png"))))
    #expect(png.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
    // The width in the IHDR chunk (PNG specification, section 11.2.2).
    #expect(Array(png[16..<20]) == [0, 0, UInt8(2200 >> 8), UInt8(2200 & 255)])
    let pdf = try Data(contentsOf: URL(filePath: try picture(folder, table, name: "p.pdf")))
    #expect(pdf.starts(with: Array("%PDF-".utf8)))
  }

  @Test func `a merged calibration has no times, with a note`() throws {
    let folder = try TemporaryDirectory()
    let (part, merged) = (folder.path("c.json"), folder.path("m.svg"))
    #expect(try rssi("fit", try table(folder), "-o", part).exitCode == 0)
    let result = try rssi("fit", "--merge", part, "--picture", merged)
    #expect(result.exitCode == 0)
    #expect(result.error.contains("no residuals"))
    let texts = try askPicture(merged, "print('\\n'.join(texts))")
    #expect(texts.contains("residuals against distance"))
    #expect(!texts.contains("residuals against time"))
  }

  @Test func `nothing is written after an error`() throws {
    let folder = try TemporaryDirectory()
    let bench = try table(folder)
    let before = try folder.names()
    let calibration = folder.path("c.json")
    for name in ["p.jpg", "p", "p.svg.txt"] {
      let result = try rssi("fit", bench, "-o", calibration, "--picture", folder.path(name))
      #expect(result.exitCode == 64)
      #expect(result.error.contains(".svg, .png or .pdf"))
    }
    let same = try rssi(
      "fit", bench, "-o", folder.path("p.svg"), "--picture", folder.path("p.svg"))
    #expect(same.exitCode == 64)
    let nowhere = try rssi("fit", bench, "-o", calibration, "--picture", folder.path("no/p.svg"))
    #expect(nowhere.exitCode == 74)
    #expect(nowhere.error.contains("create it first"))
    let noGnuplot = try runProgram(
      builtProgram, ["fit", bench, "-o", calibration, "--picture", folder.path("p.svg")],
      input: Data(), environment: ["PATH": "/nonexistent"])
    #expect(noGnuplot.exitCode == 69)
    #expect(noGnuplot.error.contains("is not installed"))
    #expect(try folder.names() == before)
    let single = try table(folder, distances: [1])
    let old = try folder.write("old", to: "old.svg")
    let failed = try rssi("fit", single, "-o", calibration, "--picture", old)
    #expect(failed.exitCode == 65)
    #expect(failed.error.contains("one distance only"))
    #expect(try String(contentsOfFile: old, encoding: .utf8) == "old")
    #expect(try Set(folder.names()) == Set(before + ["old.svg", "table-1-1-12.csv"]))
  }
}
