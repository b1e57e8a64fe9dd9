public import Logging

/// One line of a log.
public struct LogLine: Sendable {
    /// How grave it is.
    public let level: Logger.Level
    /// What it says, metadata and all.
    public let text: String
}

/// Keeps what is logged.
public struct CollectingLogHandler: LogHandler {
    private let lines: Collected<LogLine>
    /// What every line carries.
    public var metadata: Logger.Metadata = [:]
    /// Everything, unless a test asks for less.
    public var logLevel: Logger.Level = .trace

    /// Makes a handler.
    ///
    /// - Parameter lines: Where the lines go.
    public init(lines: Collected<LogLine>) {
        self.lines = lines
    }

    /// One of the metadata.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Keeps a line.
    ///
    /// - Parameter event: The line.
    public func log(event: LogEvent) {
        lines.append(LogLine(level: event.level, text: "\(event.message) \(event.metadata ?? [:]) \(metadata)"))
    }
}
