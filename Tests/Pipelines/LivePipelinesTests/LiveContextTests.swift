import Support
import Testing
import TracePipelines
import TraceStore

@testable import LivePipelines

struct LiveContextTests {
  private let time = TestTime()
  private let control = TestControl()

  private func context(ending duration: Duration?) -> LiveContext {
    LiveContext(
      StageContext(tool: ToolIdentity(version: "1", commandLine: "rssi"), log: TestLog()),
      control: control, clock: time.clock
    ).ending(after: duration)
  }

  @Test func `a duration ends a stage by the clock that is never set`() {
    let context = context(ending: .seconds(2))
    time.now += 3_600_000_000_000
    time.advance(1_999_999_999)
    #expect(!context.control.isStopAsked)
    time.advance(1)
    #expect(context.control.isStopAsked)
  }

  @Test func `a user may stop earlier, and all other wishes pass`() {
    let context = context(ending: .nanoseconds(Int64.max))
    control.askForNewFile()
    #expect(context.control.takeRotation() && !context.control.takeRotation())
    #expect(!context.control.isStopAsked)
    control.askToStop()
    #expect(context.control.isStopAsked)
  }

  @Test func `without a duration nothing ends`() {
    let context = context(ending: nil)
    time.advance(seconds: 1_000_000)
    #expect(!context.control.isStopAsked)
  }
}
