// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The machine that the tool runs on.
enum Machine {
    /// The home folder in the system's user database; nil if the system does not know the user.
    static var home: String? {
        unsafe getpwuid(geteuid()).flatMap { unsafe $0.pointee.pw_dir }.map { unsafe String(cString: $0) }
    }

    /// The reason to think that the user's browser is on another machine, as the end of a sentence; nil if there is none.
    static var remoteness: String? {
        let environment = ProcessInfo.processInfo.environment
        func isSet(_ names: String...) -> Bool { names.contains { environment[$0]?.isEmpty == false } }
        if isSet("SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY") { return "over SSH" }
        let kernel = FileManager.default.contents(atPath: "/proc/sys/kernel/osrelease") ?? Data()
        if isSet("WSL_DISTRO_NAME", "WSL_INTEROP")
            || String(decoding: kernel, as: UTF8.self).lowercased().contains("microsoft")
        {
            return "in WSL"
        }
        let marks = ["/.dockerenv", "/run/.containerenv"]
        if isSet("container", "CODESPACES", "REMOTE_CONTAINERS", "KUBERNETES_SERVICE_HOST")
            || marks.contains(where: { FileManager.default.fileExists(atPath: $0) })
        {
            return "in a container"
        }
        #if os(Linux)
        if !isSet("DISPLAY", "WAYLAND_DISPLAY", "BROWSER") { return "without a display" }
        #endif
        return nil
    }

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
