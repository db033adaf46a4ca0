/// A large value that is held by reference: an owner that is moved or copied has no part in its
/// many fields.
package final class Shared<Value> {
  package let value: Value

  package init(_ value: Value) { self.value = value }
}

extension Shared: Sendable where Value: Sendable {}
