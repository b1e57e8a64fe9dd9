// SPDX-License-Identifier: Apache-2.0

public import Logging

/// One line of a log.
public struct LogLine: Sendable {
    /// The log level.
    public let level: Logger.Level
    /// The message with its metadata.
    public let text: String
}

/// A log handler that keeps all lines.
public struct CollectingLogHandler: LogHandler {
    private let lines: Collected<LogLine>
    /// The metadata of every line.
    public var metadata: Logger.Metadata = [:]
    /// The lowest level that is kept; `trace` by default.
    public var logLevel: Logger.Level = .trace

    /// Creates a handler.
    ///
    /// - Parameter lines: The collection that the lines are added to.
    public init(lines: Collected<LogLine>) {
        self.lines = lines
    }

    /// The metadata value of a key.
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
