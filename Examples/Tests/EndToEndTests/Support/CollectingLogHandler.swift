import Logging

/// Keeps every line of the backend's log, metadata and all.
struct CollectingLogHandler: LogHandler {
    let lines: Collected<String>
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .trace

    init(lines: Collected<String>) {
        self.lines = lines
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        lines.append("\(event.message) \(event.metadata ?? [:]) \(metadata)")
    }
}
