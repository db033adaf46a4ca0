import Foundation
import TestSupport
import Testing

@testable import Capture

/// Listens until a condition holds; what is done meanwhile is done between two ticks.
func listen(
  _ url: String, options: GatewayOptions = GatewayOptions(), environment: [String: String] = [:],
  savesAtTicks: Bool = true, until isEnough: @escaping (RecordingSink) throws -> Bool
) throws -> RecordingSink {
  var source = try MQTTSource(url: url, options: options, environment: environment)
  return try listen(to: &source, savesAtTicks: savesAtTicks, until: isEnough)
}

/// The same of any source.
func listen(
  to source: inout some CaptureSource, savesAtTicks: Bool = true,
  until isEnough: @escaping (RecordingSink) throws -> Bool
) throws -> RecordingSink {
  let deadline = ContinuousClock.now + patience
  var problem: (any Error)?
  var sink = RecordingSink { sink in
    do {
      return try !isEnough(sink) && ContinuousClock.now < deadline
    } catch {
      problem = error
      return false
    }
  }
  sink.savesAtTicks = savesAtTicks
  try source.run(into: &sink)
  if let problem { throw problem }
  #expect(ContinuousClock.now < deadline, "\(sink.notes) \(sink.rejected)")
  return sink
}
