public import Support
public import TraceStore

/// A stage of the chain: a request in, a result out.
///
/// A request is a plain struct with defaults, which names inputs, outputs and settings. A stage
/// keeps nothing between runs, prints nothing and has no options.
///
/// ```swift
/// let request = ImportRequest(files: ["walk.btsnoop"], output: "walk.h5")
/// let result = try ImportStage(request).run()
/// ```
public protocol Stage {
  associatedtype Request
  associatedtype Result
  associatedtype Context = StageContext

  /// Creates a stage that serves a request.
  init(_ request: Request)

  /// Does the work; call ``run(in:)``, whose errors are typed.
  func perform(in context: Context) throws -> Result
}

extension Stage {
  /// Does the work.
  ///
  /// - Throws: `RSSIError` for a request that cannot be met, inputs that cannot be used, and
  ///   outputs that cannot be written.
  public func run(in context: Context) throws(RSSIError) -> Result {
    do {
      return try perform(in: context)
    } catch {
      // Everything but an output of the caller throws this type.
      throw RSSIError(error)
    }
  }
}

extension Stage where Context == StageContext {
  /// Does the work as the running program, without notes or progress.
  ///
  /// - Throws: `RSSIError`, as ``run(in:)`` does.
  public func run() throws(RSSIError) -> Result { try run(in: StageContext()) }
}

/// The surroundings of a stage that reads files or a stream to its end.
public struct StageContext {
  /// The program that files name as their author.
  public var tool: ToolIdentity
  /// The receiver of notes, warnings and progress.
  public var log: any ActivityLog
  /// The receiver of sightings that are written as lines; `nil` discards them.
  package var lines: (any LineWriter)?
  /// The board on which a stage that reads a stream publishes its metrics; `nil` for none.
  package var board: MetricsBoard?

  /// Creates the surroundings of a stage.
  public init(tool: ToolIdentity = .current, log: any ActivityLog = SilentLog()) {
    (self.tool, self.log) = (tool, log)
  }

  package init(tool: ToolIdentity, log: any ActivityLog, lines: (any LineWriter)?) {
    (self.tool, self.log, self.lines) = (tool, log, lines)
  }
}
