import Foundation
import TestSupport
import Testing

/// Asks Python's XML parser about the SVG that `rssi fit --picture` drew; the script prints.
///
/// - Parameter script: finds `texts`, all texts; `dots(r, g, b)`, the places of the dots of a
///   colour; and `scale(axis, lines, n)`, a function from pixels to values by the n-th panel's
///   ticks, where `lines` are the values of the ticks as numpy should read them (`np.log10` or
///   `float`).
func askPicture(_ path: String, _ script: String, _ arguments: [String] = []) throws -> [String] {
  let result = try runPython(pictureReader + script, [path] + arguments)
  try #require(result.exitCode == 0, "\(result.error)")
  return result.output.split(separator: "\n").map(String.init)
}

private let pictureReader = """
  import re, sys, json, csv, xml.etree.ElementTree as tree
  import numpy as np
  space = '{http://www.w3.org/2000/svg}'
  root = tree.parse(sys.argv[1]).getroot()
  texts = [e.text or '' for e in root.iter(space + 'text')]
  def numbers(text): return [float(w) for w in re.findall(r'-?[0-9]+\\.?[0-9]*', text)]
  def dots(r, g, b):
      return [numbers(u.attrib['transform'])[:2] for u in root.iter(space + 'use')
              if numbers(u.attrib.get('color', '')) == [r, g, b] and 'transform' in u.attrib]
  # A tick is a short stroke with a text in the same group.
  ticks = {'x': [], 'y': []}
  for group in root.iter(space + 'g'):
      stroke = None
      for e in group:
          if e.tag == space + 'path' and numbers(e.attrib.get('stroke', '')) == [89, 99, 110]:
              ends = numbers(e.attrib['d'])
              stroke = ends if len(ends) == 4 else None
          elif e.tag == space + 'g' and stroke:
              label = ''.join(t.text or '' for t in e.iter(space + 'text'))
              if re.fullmatch(r'-?[0-9.]+', label):
                  axis = 'y' if stroke[1] == stroke[3] else 'x'
                  ticks[axis].append((stroke, float(label)))
              stroke = None
  def scale(axis, read, panel):
      # Ticks of one panel have the axis's other coordinate in common.
      panels = []
      for stroke, value in ticks[axis]:
          place, other = (stroke[0], stroke[1]) if axis == 'x' else (stroke[1], stroke[0])
          if not panels or panels[-1][0] != other or (
                  axis == 'y' and place > panels[-1][1][-1][0]):
              panels.append((other, []))
          panels[-1][1].append((place, read(value)))
      slope, start = np.polyfit(*np.array(panels[panel][1]).T, 1)
      return lambda pixels: start + slope * np.asarray(pixels)

  """
