import Foundation
import Glibc
import Support
import TestSupport
import Testing

@Suite struct FilePlaceTests {
  @Test func `knows a file by any name`() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write("text", to: "file")
    #expect(link(file, directory.path("hard")) == 0)
    #expect(symlink("file", directory.path("soft")) == 0)
    #expect(symlink("soft", directory.path("softer")) == 0)
    #expect(symlink(".", directory.path("folder")) == 0)
    for name in ["./file", "hard", "soft", "softer", "folder/file", "folder/softer"] {
      #expect(FilePlace(file).isSame(as: FilePlace(directory.path(name))), "\(name)")
    }
    _ = try directory.write("text", to: "other")
    #expect(!FilePlace(file).isSame(as: FilePlace(directory.path("other"))))
    #expect(!FilePlace(file).isSame(as: FilePlace(directory.path("missing"))))
  }

  @Test func `knows a place without a file`() throws {
    let directory = try TemporaryDirectory()
    #expect(symlink(".", directory.path("folder")) == 0)
    #expect(symlink("new", directory.path("dangling")) == 0)
    let place = FilePlace(directory.path("new"))
    for name in ["./new", "folder/new", "dangling", "folder/dangling"] {
      #expect(place.isSame(as: FilePlace(directory.path(name))), "\(name)")
    }
    #expect(!place.isSame(as: FilePlace(directory.path("newer"))))
  }

  @Test(arguments: ["/dev/stdout", "/dev/stdin", "/dev/fd/7", "/proc/self/fd/1"])
  func `knows descriptors`(_ path: String) { #expect(FilePlace(path).isDescriptor) }

  @Test func `a loop of links is only a name`() throws {
    let directory = try TemporaryDirectory()
    #expect(symlink("b", directory.path("a")) == 0)
    #expect(symlink("a", directory.path("b")) == 0)
    #expect(!FilePlace(directory.path("a")).isDescriptor)
    #expect(throws: RSSIError.self) { _ = try AtomicFile(path: directory.path("a/x")) }
  }
}
