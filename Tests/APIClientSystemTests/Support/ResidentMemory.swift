// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Testing

/// The memory of this process, in bytes.
enum ResidentMemory {
    static func now() throws -> Int { try value("VmRSS:") }

    /// The most so far.
    static func peak() throws -> Int { try value("VmHWM:") }

    private static func value(_ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name) })
        return try #require(Int(line.filter(\.isNumber))) * 1_024
    }
}
#endif
