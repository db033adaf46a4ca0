/// A stream of a broker with numbered messages, from which the sightings of a trace come.
package struct StreamIdentity: Equatable, Sendable {
  /// The broker without the user, such as `broker.local:4223`.
  package var broker: String
  package var name: String
  /// The part of the stream that is read, such as `part.0`; empty for all of it.
  package var partition: String
  /// The time of its creation, in nanoseconds since the Unix epoch: a stream recreated under the
  /// same name counts from 1 again.
  package var created: Int64

  package init(broker: String, name: String, partition: String, created: Int64) {
    (self.broker, self.name) = (broker, name)
    (self.partition, self.created) = (partition, created)
  }
}

/// The last message of a stream in a trace, which contains every message up to it.
package struct StreamPosition: Equatable, Sendable {
  /// The number of the message, from 1.
  package var sequence: UInt64
  /// The time at which the broker received it, in nanoseconds since the Unix epoch.
  package var time: Int64

  package init(sequence: UInt64, time: Int64) { (self.sequence, self.time) = (sequence, time) }
}
