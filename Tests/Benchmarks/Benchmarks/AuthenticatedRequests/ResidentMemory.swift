import Foundation

/// What of this process lies in memory.
enum ResidentMemory {
    /// In kilobytes; nil elsewhere than on Linux.
    static var kilobytes: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") })
        else { return nil }
        return line.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }
}
