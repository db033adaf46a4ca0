import Foundation
import TestSupport
import Testing

@testable import Plotting

/// The path on which the tests look for gnuplot.
let searchPath = ProcessInfo.processInfo.environment["PATH"] ?? ""

/// The SVG of a chart.
func svg(_ chart: Chart) throws -> String {
  String(decoding: try chart.picture(.svg, searchPath: searchPath), as: UTF8.self)
}

/// The answers of Python's XML parser about an SVG: `texts` and `paths` are lists of its elements'
/// texts and attributes; the script prints.
func ask(_ svg: String, _ script: String) throws -> [String] {
  let scratch = try TemporaryDirectory()
  let path = try scratch.write(svg, to: "picture.svg")
  let prelude = """
    import sys, xml.etree.ElementTree as tree
    space = '{http://www.w3.org/2000/svg}'
    root = tree.parse(sys.argv[1]).getroot()
    texts = [e.text or '' for e in root.iter(space + 'text')]
    paths = [e.attrib for e in root.iter(space + 'path')]
    uses = [e.attrib for e in root.iter(space + 'use')]
    def drawn(r, g, b):
      return [p['d'] for p in paths
        if p.get('stroke', '').replace(' ', '') == f'rgb({r},{g},{b})']

    """
  let result = try runPython(prelude + script, [path])
  try #require(result.exitCode == 0, "\(result.error)")
  return result.output.split(separator: "\n").map(String.init)
}

/// A chart of one panel.
func chart(_ series: Series..., x: Axis = Axis("time (s)"), y: Axis = Axis("level (dBm)")) -> Chart
{
  Chart(title: "a title", panels: [Panel(x: x, y: y, series: series)])
}
