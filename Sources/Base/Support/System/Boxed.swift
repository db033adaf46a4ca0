/// A copy-on-write value on the heap.
///
/// A fit has about a hundred numbers, an evaluation as many fields: stored inline, each type that
/// contains one would need kilobytes of copy code.
@propertyWrapper
public struct Boxed<Value: Sendable>: Sendable {
  private var storage: [Value]

  /// Creates a box with a value.
  public init(wrappedValue: Value) { storage = [wrappedValue] }

  /// The value in the box.
  public var wrappedValue: Value {
    get { storage[0] }
    set { storage[0] = newValue }
  }
}

extension Boxed: Equatable where Value: Equatable {}

extension Boxed: Codable where Value: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: try Value(from: decoder))
  }
  public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}
