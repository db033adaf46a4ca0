package import Filtering

/// A chain of filters that is compared with others.
package struct FilterCandidate: Sendable {
  /// As a person wrote it.
  package let name: String
  /// No filter = the levels as they are.
  package let chain: [FilterSpecification]
  /// As in `FilterChain`, nanoseconds.
  package let reorder: Int64
  package let resetAfter: Int64?
  /// For each filter of the chain, the noise it uses for a link where none is written.
  package let noise: @Sendable (_ link: Int) -> [Noise]

  package init(
    name: String, chain: [FilterSpecification], reorder: Int64 = 0, resetAfter: Int64? = nil,
    noise: @escaping @Sendable (_ link: Int) -> [Noise]
  ) {
    self.name = name
    self.chain = chain
    self.reorder = reorder
    self.resetAfter = resetAfter
    self.noise = noise
  }

  /// Whether what it states depends on no later sighting.
  package var isCausal: Bool { chain.allSatisfy(\.kind.isCausal) }
}
