// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import UmuveBrands

@testable import TerminalShell

extension ShellStage {
    /// Runs a test in a terminal with another program between the terminal and the app.
    ///
    /// - Parameters:
    ///   - brand: The app.
    ///   - program: A function that returns the program, as words of a shell; it gets the app and its arguments.
    ///   - more: Additional environment variables.
    ///   - test: The test; it gets the stage, the terminal, and the app with its arguments.
    /// - Throws: The test's error; an error if a program can't be started.
    static func launch(
        _ brand: Brand = .customer,
        within program: (String) -> String,
        environment more: [String: String] = [:],
        _ test: (ShellStage, TerminalSession, String) async throws -> Void
    ) async throws {
        try await run { stage in
            let app = try Executable.besideTests(brand.executable).path
            let line = "\(app) --backend \(stage.address) --store memory"
            let own = try environment(in: stage.folder, home: stage.home).merging(more) { _, new in new }
            let size = ScreenSize(columns: 80, rows: 24)
            try await TerminalSession.run(size, program(line), environment: own, in: stage.folder.url) {
                try await test(stage, $0, line)
            }
        }
    }

    /// Runs a test in a terminal whose shell has job control, at its first prompt.
    static func launchBash(
        of brand: Brand = .customer,
        environment: [String: String] = [:],
        _ test: (ShellStage, TerminalSession, String) async throws -> Void
    ) async throws {
        try await launch(brand, within: { _ in "bash --norc --noprofile -i" }, environment: environment) {
            try await $1.wait(for: "bash-")
            try await test($0, $1, $2)
        }
    }
}
