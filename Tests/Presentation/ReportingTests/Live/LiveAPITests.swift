import Evaluation
import Foundation
import Registries
import Serving
import Support
import Synchronization
import Testing
import TracePipelines
import TraceStore

@testable import LivePipelines
@testable import Reporting

@Suite("The HTTP interface of a live page") struct LiveAPITests {
  private let desk = ServeDesk { _ in }

  private func api(floors: [String]) throws -> LiveAPI {
    var site = ReportedSite()
    site.floors = floors
    site.storeys = floors.map { _ in .init(Sample.site, shift: nil) }
    let tool = ToolIdentity(version: "1", commandLine: "rssi")
    return LiveAPI(
      LivePage(on: site, title: "house", hasCalibration: false, by: tool),
      board: LiveBoard(
        source: try SourceName("hci0"), isLocating: true, canRecord: true, names: .none,
        tool: tool, metrics: MetricsBoard()
      ) { _, _ in 0 }, events: EventStream(), desk: desk,
      access: WebAccess(token: "0123456789abcdef", at: HostAndPort(host: "127.0.0.1", port: 80)))
  }

  private func status(_ api: LiveAPI, floor: String?) throws -> Int {
    var request = WebRequest("POST", "/api/v1/marks")
    request.headers = [
      "host": "127.0.0.1:80", "authorization": "Bearer 0123456789abcdef",
      "content-type": "application/json",
    ]
    var mark: [String: Any] = ["node": "phone", "role": "receiver", "x_m": 1.5, "y_m": 2]
    mark["floor"] = floor
    request.body = Array(try JSONSerialization.data(withJSONObject: mark))
    return api.answer(request, at: 0).status
  }

  @Test func `a place in a building is marked with its floor`() throws {
    let building = try api(floors: ["F1", "F2"])
    for (floor, status) in [("F2", 202), ("F9", 400), ("", 400), (nil, 400)] {
      #expect(try self.status(building, floor: floor) == status, "\(floor ?? "none")")
    }
    let plane = try api(floors: [])
    #expect(try status(plane, floor: "F1") == 400)
    #expect(try status(plane, floor: nil) == 202)
    let floors = desk.takeWishes().map { wish -> String? in
      guard case .mark(let mark) = wish, case .position(_, _, _, let floor) = mark.place else {
        return "no position"
      }
      return floor
    }
    #expect(floors == ["F2", nil])
  }
}
