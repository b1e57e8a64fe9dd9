#if Keyring && canImport(CSecretService)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What a keyring store takes from the process's surroundings, once, when it is made.
package struct KeyringSurroundings: Sendable {
    /// The session bus's address; nil where the environment names none.
    package var busAddress: String?
    /// Whether this process runs in a sandbox that may keep it from the keyring.
    package var sandbox: Sandbox?
    /// Where gnome-keyring keeps its files; nil where that can't be known.
    package var keyringFolder: String?

    /// Names the surroundings, for tests.
    package init(busAddress: String?, sandbox: Sandbox? = nil, keyringFolder: String? = nil) {
        self.busAddress = busAddress
        self.sandbox = sandbox
        self.keyringFolder = keyringFolder
    }

    /// As the environment says.
    static func ofProcess() -> KeyringSurroundings {
        let data = variable("XDG_DATA_HOME") ?? variable("HOME").map { "\($0)/.local/share" }
        return KeyringSurroundings(
            busAddress: BusAddress.fromEnvironment(),
            sandbox: Sandbox.ofProcess(),
            keyringFolder: data.map { "\($0)/keyrings" }
        )
    }

    private static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.hasPrefix("/") ? text : nil
    }
}

/// A sandbox that stands between a program and the session bus.
package enum Sandbox: Sendable {
    /// Flatpak: names that the program may not talk to look as if nobody had them.
    case flatpak
    /// Snap: calls that are not allowed are refused.
    case snap

    static func ofProcess() -> Sandbox? {
        if unsafe access("/.flatpak-info", F_OK) == 0 { return .flatpak }
        return unsafe getenv("SNAP") != nil && getenv("SNAP_NAME") != nil ? .snap : nil
    }

    /// The command that opens it for the keyring.
    var command: String {
        switch self {
        case .flatpak: "flatpak override --user --talk-name=org.freedesktop.secrets APPLICATION-ID"
        case .snap: "snap connect SNAP-NAME:password-manager-service"
        }
    }
}
#endif
