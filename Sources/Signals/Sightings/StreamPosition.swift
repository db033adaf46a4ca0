/// A stream of a broker that keeps its messages under numbers, of which a trace has the sightings.
package struct StreamIdentity: Equatable, Sendable {
  /// The broker without the user, such as `broker.local:4223`.
  package var broker: String
  package var name: String
  /// The part of the stream that is read, such as `part.0`; empty = all of it.
  package var partition: String
  /// The time at which it was created, nanoseconds since the Unix epoch: one created again under
  /// the same name counts from 1 again.
  package var created: Int64

  package init(broker: String, name: String, partition: String, created: Int64) {
    (self.broker, self.name) = (broker, name)
    (self.partition, self.created) = (partition, created)
  }
}

/// The last message of a stream that a trace has, which has every message up to it.
package struct StreamPosition: Equatable, Sendable {
  /// The number of the message, from 1.
  package var sequence: UInt64
  /// The time at which the broker received it, nanoseconds since the Unix epoch.
  package var time: Int64

  package init(sequence: UInt64, time: Int64) { (self.sequence, self.time) = (sequence, time) }
}
