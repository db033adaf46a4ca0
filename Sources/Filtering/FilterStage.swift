/// One filter of a chain, for all links: takes blocks of levels and gives those that are ready.
///
/// Levels of a link come and go in order of time. Blocks are a matter of speed: how sightings fall
/// into blocks changes no level.
public protocol FilterStage: Sendable {
  /// Makes room for the next link. Links have numbers from 0.
  mutating func open(_ link: LinkPlace, noise: Noise)

  /// Replaces the levels of a block by what the filter says of them, and of earlier ones that it
  /// held back, and takes out those that it now holds back.
  mutating func process(_ rows: inout LevelRows)

  /// Appends the levels still held back of the links asked for.
  mutating func finish(_ rows: inout LevelRows, where isOver: (LinkPlace) -> Bool)

  /// Goes on with other noise for a link, but for noise that is written; a smoother does so when the
  /// link starts anew.
  mutating func adopt(_ noise: Noise, forLink link: Int)

  /// What the filter of a link used; nil for a filter without a model of the levels.
  func likelihood(ofLink link: Int) -> LinkLikelihood?
}

/// Which recording and receiver a link belongs to.
public struct LinkPlace: Equatable, Sendable {
  public var trace: Int
  public var receiver: Int

  public init(trace: Int, receiver: Int) {
    self.trace = trace
    self.receiver = receiver
  }
}
