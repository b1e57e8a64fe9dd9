// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The resident memory of this process.
enum ResidentMemory {
    /// The size in kilobytes; nil except on Linux.
    static var kilobytes: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") })
        else { return nil }
        return line.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }
}
