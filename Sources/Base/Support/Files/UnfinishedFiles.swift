import Glibc

/// The temporary files and folders of a program, which are removed when it is interrupted.
package enum UnfinishedFiles {
  /// C strings, because a signal handler must not allocate; `nil` for a free entry.
  nonisolated(unsafe) private static let paths = UnsafeMutableBufferPointer<
    UnsafeMutablePointer<CChar>?
  >.allocate(capacity: 64)
  nonisolated(unsafe) private static var isPrepared = false

  /// The signals that end a program by default and can be caught, except for its own faults.
  private static let signals = [
    SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGTERM, SIGXCPU, SIGVTALRM, SIGPROF,
  ]

  /// Removes the files when a signal ends the program, which then ends with 128 + signal.
  package static func removeOnInterrupt() {
    prepare()
    var stops = sigset_t()
    sigemptyset(&stops)
    for number in signals {
      sigaddset(&stops, number)
      signal(number) { number in
        UnfinishedFiles.remove()
        _exit(128 + number)
      }
    }
    // The parent program may have blocked them, which is inherited.
    pthread_sigmask(SIG_UNBLOCK, &stops, nil)
  }

  /// Removes the files, then the folders; a signal handler may call it.
  package static func remove() {
    for path in paths { if let path { unlink(path) } }
    for path in paths { if let path { rmdir(path) } }
  }

  static func add(_ path: String) {
    prepare()
    guard let free = paths.firstIndex(where: { $0 == nil }) else { return }
    paths[free] = strdup(path)
  }

  static func remove(_ path: String) {
    prepare()
    for index in paths.indices {
      guard let known = paths[index], strcmp(known, path) == 0 else { continue }
      // Leaked on purpose, because the handler may be reading it.
      paths[index] = nil
      return
    }
  }

  private static func prepare() {
    guard !isPrepared else { return }
    isPrepared = true
    paths.initialize(repeating: nil)
  }
}
