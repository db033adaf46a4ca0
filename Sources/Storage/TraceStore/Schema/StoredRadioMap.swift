package import Sightings

/// The stored radio map of a file: the levels at known places, and the parameters learned from
/// them.
///
/// They are sufficient for predictions at any place: the parameters of the variation and the levels
/// with the constants of their anchors define the Gaussian process.
package struct StoredRadioMap: Equatable, Sendable {
  /// The variation of levels about their curves, in dB and metres.
  package struct Variation: Equatable, Sendable {
    /// The name of the correlation function, that of maps without a name by default.
    package var kernel = "matern-3/2"
    package var spread = Double.nan
    package var length = Double.nan
    package var anchorOffset = Double.nan
    package var recordingOffset = Double.nan
    package var placeNoise = Double.nan
    package var packetNoise = Double.nan
    /// The part that lasts for a step and its correlation length; NaN if it is unknown.
    package var nearNoise = Double.nan
    package var nearLength = Double.nan

    package init() {}
  }

  /// The exponents of likelihoods and of claims in a building; NaN in a plane.
  package struct Exponents: Equatable, Sendable {
    /// Those of the likelihood of packets and of levels received in a second.
    package var reception = Double.nan
    package var levels = Double.nan
    /// Those of the probabilities of single windows, filters and smoothers.
    package var window = Double.nan
    package var filter = Double.nan
    package var smoother = Double.nan

    package init() {}
  }

  /// An anchor with the constants of its links and its reception.
  package struct Anchor: Equatable, Sendable {
    /// The row in the table of beacons or receivers.
    package var node: UInt32
    /// The RSSI at 1 m, in dBm.
    package var measuredPower = Double.nan
    package var exponent = Double.nan
    /// The standard deviation about the curve, in dB.
    package var sigma = Double.nan
    /// The standard deviation of a packet's own error, in dB; NaN if unknown.
    package var packetSigma = Double.nan
    /// The height above the moving nodes, in metres.
    package var heightDifference = 0.0
    /// The sightings per second; NaN if unknown.
    package var rate = Double.nan
    /// The sensitivity in dBm; NaN if unknown.
    package var sensitivity = Double.nan

    package init(node: UInt32) { self.node = node }
  }

  /// A surveyed place.
  package struct Place: Equatable, Sendable {
    package var x: Double
    package var y: Double
    /// The height above the site's zero of heights, in metres; NaN if unknown.
    package var height = Double.nan
    /// The number of its uninterrupted stretch of recording.
    package var recording: UInt32
    /// The middle of the stretch over which the levels were averaged; NaN at rest.
    package var middleX = Double.nan
    package var middleY = Double.nan
    /// The vector from the middle of the stretch to its end, in metres; NaN at rest.
    package var reachX = Double.nan
    package var reachY = Double.nan
    /// The row of the floor; `nil` if the site has one plane.
    package var floor: UInt16?
    /// The time that was spent there in seconds; NaN if unknown.
    package var seconds = Double.nan

    package init(x: Double, y: Double, recording: UInt32) {
      (self.x, self.y, self.recording) = (x, y, recording)
    }
  }

  /// The mean level of an anchor at a place.
  package struct Level: Equatable, Sendable {
    /// The rows in ``StoredRadioMap/places`` and ``StoredRadioMap/anchors``.
    package var place: UInt32
    package var anchor: UInt32
    /// The level in dBm.
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
    /// The number of halvings of the sample.
    package var halvings: UInt8
    /// The times in milliseconds since the Unix epoch.
    package var times: [Int64]
    /// The levels in dBm, as many as times.
    package var levels: [Float]
    /// The hashes of the links, as many as times; 0 in files of an earlier program.
    package var links: [UInt32]

    package init(
      trace: String, node: String, halvings: UInt8, times: [Int64], levels: [Float],
      links: [UInt32]
    ) {
      (self.trace, self.node, self.halvings) = (trace, node, halvings)
      (self.times, self.levels, self.links) = (times, levels, links)
    }
  }

  /// The role of the moving nodes.
  package var role: NodeRole
  package var variation = Variation()
  package var exponents = Exponents()
  /// The variance in dB² that levels of all anchors at one place share; only informative.
  package var commonVariance = Double.nan
  /// The ratio of the variance of a position to that of independent errors.
  package var dispersion = Double.nan
  /// A Boolean value that is true if the map is of the floors of a building, where the places of
  /// anchors may be unknown.
  package var isOfBuilding = false
  /// A Boolean value that is true if heights were estimated, too.
  package var isSpace = false
  /// The height of the moving nodes in metres; NaN for the median of the anchors.
  package var height = Double.nan
  /// The group of the calibration that all links use; `nil` for each link's own.
  package var group: String?
  /// The other settings as text, by attribute: `epoch`, `window`, `levels` and so on.
  package var settings: [String: String] = [:]
  package var anchors: [Anchor] = []
  package var places: [Place] = []
  /// The levels in the order of their places.
  package var levels: [Level] = []
  package var sources: [Source] = []

  package init(role: NodeRole) { self.role = role }
}
