// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The kind of a device, which very many devices share.
enum DeviceModel {
    /// Returns the kind of this device.
    static func current(platform: String) -> String { name(platform: platform, machine: machine) }

    /// Returns the kind of a device.
    ///
    /// - Parameters:
    ///   - platform: The platform, as in ``DeviceInfo/platform``.
    ///   - machine: The system's name of the hardware, for example `iPhone17,1`. Only its beginning is used.
    /// - Returns: The kind, for example `computer`, `Mac` or `iPhone`.
    static func name(platform: String, machine: String) -> String {
        switch platform {
        case "macos": "Mac"
        case "tvos": "Apple TV"
        case "watchos": "Apple Watch"
        case "visionos": "Apple Vision"
        // A simulator has the name of the Mac's processor.
        case "ios": ["iPhone", "iPad", "iPod"].first { machine.hasPrefix($0) } ?? "iPhone or iPad"
        default: "computer"
        }
    }

    /// The system's name of the hardware.
    private static var machine: String {
        var names = utsname()
        guard unsafe uname(&names) == 0 else { return "" }
        // Safe: the bytes are read within the call that lends them.
        return unsafe withUnsafeBytes(of: &names.machine) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
