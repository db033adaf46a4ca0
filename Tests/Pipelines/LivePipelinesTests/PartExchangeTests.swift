import Capture
import Foundation
import Support
import Synchronization
import TestSupport
import Testing
import TraceStore

@testable import LivePipelines

@Suite("Gathering the parts of others, played by the test")
struct PartExchangeTests {
  private let parts: SessionParts
  private let around = TestSurroundings()
  private let mailbox: RendezvousMailbox
  private let mine: String

  init() throws {
    parts = try SessionParts()
    var me = Member(name: "a", key: .random(), incarnation: .random(), expected: 2, limit: 8)
    me.gathers = true
    mailbox = RendezvousMailbox(me, lobby: "lab", at: around.time.monotonic)
    mine = try parts.write(.init(member: "a", key: me.key, rows: [(0, -50)]), to: "a.h5")
  }

  /// Another member with one part of 10,000 rows, and the bytes of the part.
  private func other() throws -> (member: Member, bytes: [UInt8]) {
    let plan = SessionParts.Plan(
      member: "b", rows: (0..<10_000).map { (Int64($0), -Float($0 % 97)) })
    let path = try parts.write(plan, to: "b.h5")
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let digest = try InputDigests(of: [path]).wait()[0]
    var member = Member(name: "b", key: plan.key, incarnation: .random(), expected: 2, limit: 8)
    (member.state, member.session) = (.handing, parts.session)
    member.parts = [
      Member.Part(id: plan.id, file: "b.h5", bytes: digest.bytes, sha256: digest.sha256)
    ]
    return (member, bytes)
  }

  /// Gathers while the test answers.
  ///
  /// - Parameter answer: what the broker does with a piece; nil loses it.
  private func gather(
    _ other: Member, _ bytes: [UInt8], limit: UInt64 = 1 << 30,
    answer: @escaping @Sendable (PartTransfer.Piece) -> PartTransfer.Piece? = { $0 }
  ) throws -> Gathering {
    var connection = RendezvousConnection(at: around.time.monotonic)
    connection.made(at: around.time.monotonic)
    mailbox.update(
      RendezvousMailbox.Report(
        agreement: RendezvousAgreement(others: [other], connection: connection)))
    var request = SessionRequest(
      lobby: RendezvousRequest(lobby: "lab", broker: ""), name: "a",
      recording: CaptureRequest(SourceRequest(.monitor)), output: mine)
    request.merge = parts.folder.path("all.h5")
    request.maxTransfer = limit
    var context = around.context
    // While the member waits, the other one works.
    context.clock.pause = { [mailbox, time = around.time] milliseconds in
      time.advance(Int64(milliseconds) * 1_000_000)
      let letters = mailbox.exchange([]).outgoing.compactMap { payload, _ in
        PartTransfer.Request.read(payload).map { request in
          PartTransfer.Piece(
            part: request.part, offset: request.offset,
            bytes: Array(bytes[Int(request.offset)..<Int(request.offset) + request.count]))
        }
      }.compactMap(answer)
      _ = mailbox.exchange(
        letters.map {
          BrokerChannel.Message(
            topic: mailbox.topics.pieces(for: "a"), payload: $0.payload, isRetained: false)
        })
    }
    return try PartExchange(request, mailbox, parts.session, context).run()
  }

  @Test func `lost pieces are requested again and all parts merged`() throws {
    let (other, bytes) = try other()
    try #require(bytes.count > PartTransfer.piece)
    let lost = Mutex<Set<UInt64>>([])
    let gathering = try gather(other, bytes) { piece in
      lost.withLock { $0.insert(piece.offset).inserted } ? nil : piece
    }
    #expect(gathering.failure == nil && gathering.missing.isEmpty)
    #expect(gathering.merged?.sightings == 10_001)
    #expect(gathering.merged?.parts.map(\.file) == [mine, "b.h5"])
    #expect(
      lost.withLock { $0.count } == (bytes.count + PartTransfer.piece - 1) / PartTransfer.piece)
    // The fetched file was only needed for the merge.
    #expect(try parts.folder.names() == ["a.h5", "all.h5", "b.h5"])
  }

  @Test func `a damaged part is left out`() throws {
    let (other, bytes) = try other()
    let gathering = try gather(other, bytes) { piece in
      var piece = piece
      piece.bytes[0] ^= 1
      return piece
    }
    #expect(
      gathering.missing
        == [Gathering.Missing(member: "b", file: "b.h5", reason: "sent a damaged part")])
    #expect(gathering.merged?.sightings == 1)
    #expect((gathering.failure as? RSSIError)?.problem.contains("lacks parts (b)") == true)
  }

  @Test func `a silent member is given up`() throws {
    let (other, bytes) = try other()
    let began = around.time.monotonic
    let gathering = try gather(other, bytes) { _ in nil }
    #expect(gathering.missing.map(\.reason) == ["did not send its part"])
    #expect(around.time.monotonic - began >= PartExchange.patience)
  }

  @Test func `too much is not fetched`() throws {
    let (other, bytes) = try other()
    let gathering = try gather(other, bytes, limit: UInt64(bytes.count) - 1)
    #expect(gathering.merged == nil)
    #expect(gathering.missing.map(\.reason) == ["was not gathered"])
    #expect((gathering.failure as? RSSIError)?.problem.contains("`maxTransfer`") == true)
    #expect(!FileManager.default.fileExists(atPath: parts.folder.path("all.h5")))
  }
}
