import Foundation
import Geometry
import TestSupport
import Testing

@testable import Positioning

/// The dispersion that a survey shows, where it is known: levels are drawn from the model of the
/// map, by anchors that stand in groups of which each shares its errors.
struct SurveyedStaysTests {
  /// The dispersion of a site of twelve places with some anchors each, at 60 surveyed places.
  private func dispersion(anchorsAPlace count: Int, seed: UInt64) throws -> Double {
    var generator = SeededGenerator(seed: seed)
    func somewhere() -> Point {
      Point(
        x: Double.random(in: 0...20, using: &generator),
        y: Double.random(in: 0...20, using: &generator))
    }
    let sites = (0..<12).map { _ in somewhere() }
    let anchors = sites.flatMap { site in
      (0..<count).map { _ in Anchor(place: site, measuredPower: -59, exponent: 2, sigma: 3) }
    }
    let stays = (0..<60).map { _ in
      (place: somewhere(), errors: sites.map { _ in 3 * generator.gaussian() })
    }
    let levels = anchors.indices.map { anchor in
      stays.map { stay in
        SurveyedLevel(
          stretch: Stretch(centre: stay.place), residual: stay.errors[anchor / count], packets: 1,
          recording: 0)
      }
    }
    // Nothing is to be learned but noise, so that errors are as they were drawn.
    let variation = LevelVariation(
      spread: 0.01, length: 2, anchorOffset: 0.01, recordingOffset: 0.01, placeNoise: 3,
      packetNoise: 0.01)
    // A whole map has lattices besides, which take a hundred times as long.
    let survey = SurveyedStays(
      levels, try levels.map { try #require(ResidualField($0, variation)) }, anchors)
    return survey.dispersion(besides: min(survey.commonVariance, variation.noiseOfPlaces))
  }

  @Test func `independent anchors have none, but for one survey in twenty`() throws {
    // More than these have some in 3 of 1000 runs of 40 surveys, and in 2 of 1000 of 6.
    let (surveys, most) = isSystemRun ? (40, 6) : (6, 2)
    let found = try (1...surveys).map { try dispersion(anchorsAPlace: 1, seed: UInt64($0)) }
    #expect(found.count { $0 > 1 } <= most)
    #expect(try #require(found.max()) < 1.3)
  }

  /// Anchors that share all of their error are one witness: the variance is theirs times their
  /// number. What all anchors have in common takes a part of that for itself.
  @Test(.systemRun, arguments: [2, 3])
  func `anchors that share their errors have about their number, at most`(count: Int) throws {
    let found = try (1...20).map { try dispersion(anchorsAPlace: count, seed: UInt64($0)) }
    let mean = found.reduce(0, +) / 20
    #expect(mean > 0.6 * Double(count) && mean < Double(count), "\(found)")
  }

  @Test func `few places show nothing`() throws {
    let survey = Array(RadioMapTests.survey(9, seed: 3))
    let map = try #require(RadioMap(survey: survey, anchors: RadioMapTests.anchors))
    #expect(map.dispersion == 1)
  }
}
