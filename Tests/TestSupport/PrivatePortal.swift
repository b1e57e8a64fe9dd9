// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
public import Foundation

/// The real xdg-desktop-portal on the bus of a private keyring, which keeps its secrets; needs no display.
public final class PrivatePortal: Sendable {
    /// The program, which is not in `PATH`; nil if it is not installed.
    public static let executable = ["/usr/libexec", "/usr/lib"].map { URL(fileURLWithPath: "\($0)/xdg-desktop-portal") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) }

    /// The portal's name on the bus.
    public static let name = "org.freedesktop.portal.Desktop"

    private let process: RunningProcess

    /// Starts the portal.
    ///
    /// - Parameter keyring: The keyring.
    /// - Throws: ``TestSupportError``, or the system's error.
    public init(_ keyring: PrivateKeyring) async throws {
        guard let executable = Self.executable else { throw TestSupportError("xdg-desktop-portal is not installed") }
        var process = ChildProcess()
        process.executableURL = executable
        process.environment = keyring.environment
        // The keyring offers its secrets to the portal of this desktop alone.
        process.environment?["XDG_CURRENT_DESKTOP"] = "GNOME"
        process.standardOutput = .null
        process.standardError = .null
        self.process = try RunningProcess(process)
        try await waitUntil("the portal is on the bus") { try await keyring.bus.hasOwner(of: Self.name) }
    }

    /// Ends the portal.
    public func stop() async { await process.end() }
}
#endif
