// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

extension Stage {
    /// Returns the process in which one of this stage's commands refreshes, by the kernel's list.
    func refreshProcess() throws -> Int32 {
        let process = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.first {
            Self.text("cmdline", of: $0) == "sallyport\0refresh-process\0"
                && Self.text("environ", of: $0).contains(keyring.home.path())
        }
        return try #require(process, "there is no refresh process")
    }

    /// Returns one of the kernel's files about a process; empty if there is none.
    static func text(_ file: String, of process: Int32) -> String {
        // The size of such a file is 0, by which `Data` would read its first 4 KiB alone.
        let content = try? FileHandle(forReadingAtPath: "/proc/\(process)/\(file)")?.readToEnd()
        return String(decoding: content ?? Data(), as: UTF8.self)
    }

    /// Waits until a process has ended, whether or not its parent has noticed.
    static func waitForEnd(of process: Int32) async throws {
        try await waitUntil("process \(process) has ended") { text("cmdline", of: process).isEmpty }
    }
}
