// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport

/// An app on a display of its own, and its user, who has a screen reader and a keyboard.
///
/// The program `desktop` in `Tests/Support` plays the user.
struct DesktopApp: Sendable {
    /// Whether this machine has the required programs.
    static let isAvailable =
        Executable.find("Xvfb") != nil && Python.has("gi.repository.Gio")
        && FileManager.default.isExecutableFile(atPath: "/usr/libexec/at-spi-bus-launcher")

    /// A reply of the user.
    private struct Reply: Decodable {
        let ok: Bool
        let screen: [String]
        let code: Int32?
    }

    private let user: RunningProcess
    private let input: FileHandle

    /// Runs a test with an app, and always ends the app and its display.
    ///
    /// - Parameters:
    ///   - program: The path of the app.
    ///   - arguments: Its arguments.
    ///   - environment: The whole environment, with a session bus.
    ///   - test: The test.
    /// - Throws: The test's error; an error if a program can't be started.
    static func run(
        _ program: String,
        _ arguments: [String],
        environment: [String: String],
        _ test: (DesktopApp) async throws -> Void
    ) async throws {
        let (user, input) = try RunningProcess.server(
            Python.path,
            ["-W", "ignore", script, program] + arguments,
            environment: environment
        )
        do {
            try await test(DesktopApp(user: user, input: input))
        } catch {
            await user.end()
            throw error
        }
        await user.end()
    }

    private static let script = URL(filePath: #filePath).appending(path: "../../../Support/desktop")
        .standardizedFileURL.path()

    /// Waits until the name of something on the screen contains a text.
    ///
    /// - Returns: The roles and names on the screen, in order.
    @discardableResult
    func wait(for text: String) async throws -> [String] { try await ask("wait", text).screen }

    /// Waits until no name on the screen contains a text.
    @discardableResult
    func wait(without text: String) async throws -> [String] { try await ask("gone", text).screen }

    /// Waits until a text is on the screen, and returns whether it stands below a button.
    func wait(for text: String, below button: String) async throws -> Bool {
        let screen = try await wait(for: text)
        guard let place = screen.lastIndex(of: "button: \(button)") else { return false }
        return screen[place...].contains { $0.contains(text) }
    }

    /// Waits for a control by its name, and presses it.
    func press(_ name: String) async throws { _ = try await ask("press", name) }

    /// Waits for a field by its name, and replaces its text.
    func type(_ text: String, into name: String) async throws { _ = try await ask("type", name, text) }

    /// Presses a key, by the name of its symbol in X11.
    func pressKey(_ name: String) async throws { _ = try await ask("key", name) }

    /// Presses the Tab key until a field has the keyboard, then the keys of a text in ASCII.
    func pressKeys(_ text: String, at name: String) async throws {
        _ = try await ask("focus", name)
        _ = try await ask("keys", text)
    }

    /// Presses the Tab key until a control has the keyboard, then another key.
    func reach(_ name: String, pressing key: String = "Return") async throws {
        _ = try await ask("focus", name)
        try await pressKey(key)
    }

    /// Waits until a text is on the screen, and returns the time since the app's start.
    func time(until text: String) async throws -> Duration {
        .milliseconds(Int(try await value("since", text)) ?? .max)
    }

    /// The window's width and height, as `420x760`.
    func size() async throws -> String { try await value("size") }

    /// Returns the colour of a point of the display, as `#ffffff`.
    func colour(x: Int, y: Int) async throws -> String { try await value("colour", "\(x)", "\(y)") }

    /// Waits until a point of the display has about a colour, as `#ffffff`.
    func wait(forColour colour: String) async throws { _ = try await ask("shows", colour) }

    /// The number of things side by side in the second line of the window from below.
    func dots() async throws -> String { try await value("dots") }

    /// The roles of what the keyboard can reach and a screen reader has no name for.
    func unnamed() async throws -> [String] { try await ask("unnamed").screen }

    /// Presses a key, and returns the number of different pictures that the display shows within a second.
    func frames(after key: String) async throws -> Int { Int(try await value("frames", key)) ?? 0 }

    /// Opens an address with the app, as a browser does: a second process hands it over and ends.
    func open(_ address: String) async throws { _ = try await ask("open", address) }

    /// Sends a signal to the app.
    func send(_ signal: Int32) async throws { _ = try await ask("signal", "\(signal)") }

    /// Waits until the app ends, and returns its exit code.
    func waitForExit() async throws -> Int32? { try await ask("exit").code }

    /// Ends the app.
    func quit() async throws {
        try await send(SIGTERM)
        _ = try await waitForExit()
    }

    /// Asks for a value, which is the reply's only line.
    private func value(_ command: String...) async throws -> String {
        try await ask(command).screen.first?.split(separator: " ").last.map { String($0) } ?? ""
    }

    private func ask(_ command: String...) async throws -> Reply { try await ask(command) }

    private func ask(_ command: [String]) async throws -> Reply {
        var line = try JSONEncoder().encode(command)
        line.append(0x0A)
        try input.write(contentsOf: line)
        let text = try await user.read(until: "\n", timeout: .seconds(120))
        let reply = try JSONDecoder().decode(Reply.self, from: Data(text.utf8))
        guard reply.ok else {
            throw DesktopError(
                description: "\(command.joined(separator: " ")); the screen:\n\(reply.screen.joined(separator: "\n"))"
            )
        }
        return reply
    }
}

/// The reason why an app did not do what the user expects.
struct DesktopError: Error, CustomStringConvertible {
    let description: String
}
