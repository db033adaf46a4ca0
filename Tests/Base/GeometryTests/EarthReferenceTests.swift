import Foundation
import Geometry
import TestSupport
import Testing

@Suite("A plane on Earth") struct EarthReferenceTests {
  @Test func `has the coordinates that pymap3d finds, at every latitude and bearing`() throws {
    var random = SeededGenerator(seed: 7)
    let cases = (0..<200).map { number in
      let latitude =
        number < 2 ? [90.0, -90.0][number] : Double.random(in: -90...90, using: &random)
      return [
        latitude, Double.random(in: -180...180, using: &random),
        Double.random(in: -360...360, using: &random),
        Double.random(in: -5000...5000, using: &random),
        Double.random(in: -5000...5000, using: &random),
      ]
    }
    let result = try runPython(
      """
      import json, math, sys, pymap3d
      found = []
      for latitude, longitude, bearing, x, y in json.loads(sys.argv[1]):
          turn = math.radians(bearing)
          # The y axis points to the bearing, the x axis a quarter to its right.
          east = x * math.cos(turn) + y * math.sin(turn)
          north = -x * math.sin(turn) + y * math.cos(turn)
          phi, lam, _ = pymap3d.enu2geodetic(east, north, 0, latitude, longitude, 0)
          found.append([float(phi), float(lam)])
      print(json.dumps(found))
      """, ["\(cases)"])
    let found = try JSONDecoder().decode([[Double]].self, from: Data(result.output.utf8))
    try #require(found.count == cases.count, "\(result.error)")
    for (numbers, expected) in zip(cases, found) {
      let reference = EarthReference(
        of: Point(x: 3, y: -4), latitude: numbers[0], longitude: numbers[1], bearing: numbers[2])
      let place = reference.coordinates(of: Point(x: 3 + numbers[3], y: numbers[4] - 4))
      // A tenth of a millimetre on the meridian, and on the parallel at that latitude.
      #expect(abs(place.latitude - expected[0]) < 1e-9, "\(numbers)")
      let apart = (place.longitude - expected[1]).remainder(dividingBy: 360)
      #expect(abs(apart * cos(expected[0] * .pi / 180)) < 1e-9, "\(numbers)")
      #expect((-180...180).contains(place.longitude))
    }
  }

  @Test(arguments: [(0.0, 0.0, 90.0), (0, 90, 0), (30, 90, 30), (30, 180, 300), (-45, 0, 45)])
  func `turns angles of the plane into bearings`(_ bearing: Double, angle: Double, expected: Double)
  {
    let reference = EarthReference(latitude: 0, longitude: 0, bearing: bearing)
    let found = reference.bearing(ofAngle: angle * .pi / 180)
    #expect(abs((found - expected).remainder(dividingBy: 360)) < 1e-9)
    #expect((0...360).contains(found))
  }
}
