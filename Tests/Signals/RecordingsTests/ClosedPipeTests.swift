import Glibc
import Recordings
import Support
import TestSupport
import Testing

@Suite struct ClosedPipeTests {
  /// A reader that stops early is not a failure of the writer.
  @Test func `a reader that has ended is told apart`() throws {
    signal(SIGPIPE, SIG_IGN)
    let directory = try TemporaryDirectory()
    let path = directory.path("pipe")
    try #require(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    try #require(reader >= 0)
    var writer = try BTSnoopWriter(path: path)
    close(reader)
    #expect(throws: RSSIError.closedPipe) { try writer.flush() }
  }
}
