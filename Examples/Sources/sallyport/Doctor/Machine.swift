// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The machine that the tool runs on.
enum Machine {
    /// The architecture as the kernel names it, for example `x86_64`.
    static var architecture: String {
        var name = utsname()
        guard unsafe uname(&name) == 0 else { return "unknown" }
        return unsafe withUnsafeBytes(of: &name.machine) { bytes in
            let text = unsafe bytes.prefix(while: { $0 != 0 })
            return unsafe Terminal.shown(String(decoding: text, as: UTF8.self), limit: 32) ?? "unknown"
        }
    }
}
