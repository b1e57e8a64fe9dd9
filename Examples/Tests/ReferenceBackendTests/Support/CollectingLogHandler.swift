import Logging

/// One line of a log.
struct LogLine: Sendable {
    let level: Logger.Level
    let text: String
}

/// Keeps what is logged, metadata and all.
struct CollectingLogHandler: LogHandler {
    let lines: Collected<LogLine>
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .trace

    init(lines: Collected<LogLine>) {
        self.lines = lines
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        lines.append(LogLine(level: event.level, text: "\(event.message) \(event.metadata ?? [:]) \(metadata)"))
    }
}
