import Advertising
import Capture
import Sightings
import Support
import Synchronization
import TestSupport
import Testing
import TracePipelines

@testable import LivePipelines

@Suite("Recordings of a service, fed with reports and a time of the test")
struct ServedSightingsTests {
  /// The paths of recordings that a desk was told to have begun.
  private final class Beginnings: Sendable {
    private let paths = Mutex<[String]>([])
    var all: [String] { paths.withLock(\.self) }

    func take(_ outcome: ServeDesk.Outcome) {
      if case .recording(let path) = outcome { paths.withLock { $0.append(path) } }
    }
  }

  /// Asks for a recording before the start of the source, after it, and after two reports.
  @Test(arguments: [0, 1, 3])
  func `show the file of a recording once, whenever it was asked for`(before: Int) throws {
    let around = TestSurroundings()
    let folder = try TemporaryDirectory()
    let beginnings = Beginnings()
    let desk = ServeDesk { beginnings.take($0) }
    let watch = WatchRequest()
    var request = ServeRequest(SourceRequest(.adapter(0)), watch)
    request.recordings = folder.path("surveys") + "/"
    let stage = LiveWatch(
      WatchedSightings(watch, into: CollectedFindings(), log: around.context.log),
      replay: nil, around.context)
    let live = try LiveSightings(stage, of: request.source.name, receiver: nil, around.context)
    let served = ServedSightings(live, request, desk, around.context)
    try served.notice(.receiver(adapter: 0, name: "hci0", radio: Radio()))
    for step in 0..<5 {
      if step == before {
        #expect(desk.ask(.startRecording))
        _ = try served.tick()
      }
      around.time.advance(seconds: 1)
      if step == 0 {
        try served.notice(.start)
      } else {
        let payload: [UInt8] = [2, 1, 6]
        try served.receive(
          AdvertisingReport(around.time.now, address: 1, rssi: -50), payload: payload.span)
      }
      _ = try served.tick()
    }
    let paths = beginnings.all
    #expect(paths.count == 1 && paths.allSatisfy { $0.hasSuffix(".h5") })
    try served.finish(isWhole: true)
    #expect(beginnings.all == paths)
  }
}
