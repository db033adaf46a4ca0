package import Sightings

/// A radio map as a file keeps it: what was heard at known places, and what was learned from it.
///
/// Predictions at any place follow from it: the numbers of the variation and the levels with the
/// constants of their anchors are all that a Gaussian process consists of.
package struct StoredRadioMap: Equatable, Sendable {
  /// The variation of levels about their curves, in dB and metres.
  package struct Variation: Equatable, Sendable {
    package var spread = Double.nan
    package var length = Double.nan
    package var anchorOffset = Double.nan
    package var recordingOffset = Double.nan
    package var placeNoise = Double.nan
    package var packetNoise = Double.nan

    package init() {}
  }

  /// An anchor with the constants of its links in the map, and how it is received.
  package struct Anchor: Equatable, Sendable {
    /// Its row in the table of beacons or receivers.
    package var node: UInt32
    /// In dBm.
    package var measuredPower = Double.nan
    package var exponent = Double.nan
    /// In dB.
    package var sigma = Double.nan
    /// In dB; NaN = not known.
    package var packetSigma = Double.nan
    /// Metres above the moving nodes.
    package var heightDifference = 0.0
    /// Sightings a second; NaN = not known.
    package var rate = Double.nan
    /// In dBm; NaN = not known.
    package var sensitivity = Double.nan

    package init(node: UInt32) { self.node = node }
  }

  /// A place at which was heard.
  package struct Place: Equatable, Sendable {
    package var x: Double
    package var y: Double
    /// Metres above the site's zero of heights; NaN = not known.
    package var height = Double.nan
    /// The number of its stretch of recording without a pause.
    package var recording: UInt32

    package init(x: Double, y: Double, recording: UInt32) {
      (self.x, self.y, self.recording) = (x, y, recording)
    }
  }

  /// The mean level of an anchor at a place.
  package struct Level: Equatable, Sendable {
    /// Rows of ``StoredRadioMap/places`` and ``StoredRadioMap/anchors``.
    package var place: UInt32
    package var anchor: UInt32
    /// In dBm.
    package var rssi: Double
    package var packets: UInt32

    package init(place: UInt32, anchor: UInt32, rssi: Double, packets: UInt32) {
      (self.place, self.anchor, self.rssi, self.packets) = (place, anchor, rssi, packets)
    }
  }

  /// A moving node in a trace that the map was learned from, with a sample of its readings, by
  /// which the recording is recognised.
  package struct Source: Equatable, Sendable {
    package var trace: String
    package var node: String
    /// The number of times that half of the sample was left out.
    package var halvings: UInt8
    /// Milliseconds since the Unix epoch.
    package var times: [Int64]
    /// In dBm, as many as times.
    package var levels: [Float]

    package init(
      trace: String, node: String, halvings: UInt8, times: [Int64], levels: [Float]
    ) {
      (self.trace, self.node, self.halvings) = (trace, node, halvings)
      (self.times, self.levels) = (times, levels)
    }
  }

  /// That of the moving nodes.
  package var role: NodeRole
  package var variation = Variation()
  /// The variance in dB² that levels of all anchors at one place have in common; for readers only.
  package var commonVariance = Double.nan
  /// The ratio of the variance of a position to that of independent errors.
  package var dispersion = Double.nan
  /// True if heights were asked, too.
  package var isSpace = false
  /// The height of the moving nodes in metres; NaN = the median of the anchors.
  package var height = Double.nan
  /// The group of the calibration that all links use; nil = each link's own.
  package var group: String?
  /// The other settings, in words, by attribute: `epoch`, `window`, `levels` and so on.
  package var settings: [String: String] = [:]
  package var anchors: [Anchor] = []
  package var places: [Place] = []
  /// In the order of their places.
  package var levels: [Level] = []
  package var sources: [Source] = []

  package init(role: NodeRole) { self.role = role }
}
