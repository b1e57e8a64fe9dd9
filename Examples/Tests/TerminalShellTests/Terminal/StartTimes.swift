// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport

/// The times between the start of an app's process and what it draws, as `screen-clock` records them.
struct StartTimes: Sendable {
    /// The mark on the screen of an unreachable server.
    private static let offlineMark = "Offline since"

    /// The time to the first screen with the user's name.
    let session: Duration
    /// The time to the offline banner.
    let offline: Duration

    /// Returns a program that records the times of an app, as words of a shell.
    ///
    /// - Parameters:
    ///   - app: The app and its arguments.
    ///   - file: The file for the times.
    /// - Returns: The program and its arguments.
    static func program(recording app: String, to file: URL) -> String {
        let clock = URL(filePath: #filePath).appending(path: "../../../Support/screen-clock").standardizedFileURL
        return #"\#(clock.path()) \#(file.path()) "\#(ShellStage.userName)" "\#(offlineMark)" -- \#(app)"#
    }

    /// Reads the times of an app that shows the offline banner.
    ///
    /// - Parameter file: The file with the times.
    /// - Throws: ``TerminalError`` if a time is missing.
    init(recordedIn file: URL) throws {
        let text = try String(contentsOf: file, encoding: .utf8)
        func time(of mark: String) throws -> Duration {
            let line = text.split(separator: "\n").first { $0.hasSuffix(mark) }
            guard let number = line?.split(separator: " ").first.flatMap({ Double($0) }) else {
                throw TerminalError(description: "no time of \"\(mark)\" in \"\(text)\"")
            }
            return .milliseconds(number)
        }
        session = try time(of: ShellStage.userName)
        offline = try time(of: Self.offlineMark)
    }
}
