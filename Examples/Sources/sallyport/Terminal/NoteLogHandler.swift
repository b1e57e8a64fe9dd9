// SPDX-License-Identifier: Apache-2.0

import Logging

/// A log handler that writes the library's log to standard error, for `--verbose`.
///
/// The library logs no header, query, body or token.
struct NoteLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        Terminal.note("· \(event.message)")
    }
}
