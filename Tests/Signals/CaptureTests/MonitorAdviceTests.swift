import Testing

@testable import Capture

struct MonitorAdviceTests {
  private let second: Int64 = 1_000_000_000

  @Test func `reports once that no program scans, and again after one did`() {
    var advice = MonitorAdvice(silence: 10)
    advice.begin(at: 0)
    #expect(advice.look(9 * second) == nil)
    let text = advice.look(10 * second)
    #expect(text?.contains("for 10 s") == true)
    #expect(advice.look(30 * second) == nil)
    let report: [UInt8] = [0x3E, 12, 0x02]
    advice.note(event: report.span)
    #expect(advice.look(31 * second) == nil)
    #expect(advice.look(40 * second) == nil)
    #expect(advice.look(41 * second) != nil)
  }

  @Test func `an answer to a command is not an advertisement`() {
    var advice = MonitorAdvice(silence: 1)
    advice.begin(at: 0)
    let answer: [UInt8] = [0x0E, 4, 1, 0x0C, 0x20, 0]
    advice.note(event: answer.span)
    #expect(advice.look(second) != nil)
  }

  @Test(arguments: [(0x200C, [1, 1]), (0x2042, [1, 1, 0, 0, 0, 0])] as [(UInt16, [UInt8])])
  func `notes once per adapter that duplicates are filtered`(opcode: UInt16, parameters: [UInt8]) {
    var advice = MonitorAdvice(silence: 1)
    func said(_ adapter: String) -> String? {
      advice.note(command: opcode, parameters: parameters.span, adapter: adapter)
    }
    let text = said("hci0")
    #expect(text?.contains("capture hci0 itself") == true)
    #expect(said("hci0") == nil)
    #expect(said("hci1") != nil)
  }

  @Test(
    arguments: [
      (0x200C, [1, 0]), (0x200C, [0, 1]), (0x200C, []), (0x200C, [1]), (0x200B, [1, 1]),
    ] as [(UInt16, [UInt8])])
  func `does not note other commands`(opcode: UInt16, parameters: [UInt8]) {
    var advice = MonitorAdvice(silence: 1)
    let text = advice.note(command: opcode, parameters: parameters.span, adapter: "hci0")
    #expect(text == nil)
  }
}
