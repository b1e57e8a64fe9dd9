// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The part of the process's environment that a keyring store reads once, when it is created.
package struct KeyringEnvironment: Sendable {
    /// The session bus's address; nil if the environment names no bus.
    package var busAddress: String?
    /// Whether the app named the bus itself, so that its address need not be a local socket.
    package var isBusNamed: Bool
    /// The sandbox of this process, if it runs in one that may block the keyring.
    package var sandbox: Sandbox?
    /// The folder of gnome-keyring's files; nil if it is unknown.
    package var keyringFolder: String?

    /// Creates an environment, for tests.
    package init(
        busAddress: String?,
        isBusNamed: Bool = false,
        sandbox: Sandbox? = nil,
        keyringFolder: String? = nil
    ) {
        self.busAddress = busAddress
        self.isBusNamed = isBusNamed
        self.sandbox = sandbox
        self.keyringFolder = keyringFolder
    }

    /// Connects to the bus, which must be this user's on this machine unless the app named it.
    ///
    /// - Throws: ``SecureStoreError`` (`noSessionBus` if the environment names no bus, or the bus can't be reached;
    ///   `remoteBus` if its address is not a local socket; `denied` if it is another user's; `timedOut`).
    func connect(before deadline: CallDeadline) throws(SecureStoreError) -> SessionBus {
        guard let busAddress else { throw SecureStoreError(.noSessionBus) }
        guard isBusNamed || BusAddress.isLocal(busAddress) else { throw SecureStoreError(.remoteBus) }
        let bus = try SessionBus(address: busAddress, deadline: deadline)
        guard isBusNamed || bus.isOwn else { throw SecureStoreError(.denied, detail: "a session bus of another user") }
        return bus
    }

    /// Reads the environment of this process.
    static func ofProcess() -> KeyringEnvironment {
        let data = variable("XDG_DATA_HOME") ?? variable("HOME").map { "\($0)/.local/share" }
        return KeyringEnvironment(
            busAddress: BusAddress.fromEnvironment(),
            sandbox: Sandbox.ofProcess(),
            keyringFolder: data.map { "\($0)/keyrings" }
        )
    }

    /// Returns the environment of a bus that the app names.
    package static func named(_ busAddress: String) -> KeyringEnvironment {
        KeyringEnvironment(busAddress: busAddress, isBusNamed: true, sandbox: Sandbox.ofProcess())
    }

    private static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.hasPrefix("/") ? text : nil
    }
}

/// A sandbox between a program and the session bus.
package enum Sandbox: Sendable {
    /// Flatpak. Bus names that the program may not talk to look as if they had no owner.
    case flatpak
    /// Snap. Calls that are not allowed are refused.
    case snap

    static func ofProcess() -> Sandbox? {
        if unsafe access("/.flatpak-info", F_OK) == 0 { return .flatpak }
        return unsafe getenv("SNAP") != nil && getenv("SNAP_NAME") != nil ? .snap : nil
    }

    /// The command that lets the sandboxed program use the keyring.
    var command: String {
        switch self {
        case .flatpak: "flatpak override --user --talk-name=org.freedesktop.secrets APPLICATION-ID"
        case .snap: "snap connect SNAP-NAME:password-manager-service"
        }
    }
}
#endif
