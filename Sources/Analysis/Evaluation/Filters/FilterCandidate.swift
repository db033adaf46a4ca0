public import Filtering

/// A chain of filters that is compared with others.
public struct FilterCandidate: Sendable {
  /// As a person wrote it.
  public let name: String
  /// No filter = the levels as they are.
  public let chain: [FilterSpecification]
  /// As in `FilterChain`, nanoseconds.
  public let reorder: Int64
  public let resetAfter: Int64?
  /// For each filter of the chain, the noise it uses for a link where none is written.
  public let noise: @Sendable (_ link: Int) -> [Noise]

  public init(
    name: String, chain: [FilterSpecification], reorder: Int64 = 0, resetAfter: Int64? = nil,
    noise: @escaping @Sendable (_ link: Int) -> [Noise]
  ) {
    self.name = name
    self.chain = chain
    self.reorder = reorder
    self.resetAfter = resetAfter
    self.noise = noise
  }

  /// Whether what it says depends on no later sighting.
  public var isCausal: Bool { chain.allSatisfy(\.kind.isCausal) }
}
