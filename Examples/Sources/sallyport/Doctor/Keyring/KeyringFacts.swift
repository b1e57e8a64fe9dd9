// SPDX-License-Identifier: Apache-2.0

#if canImport(CGIO)
import CGIO
import FoundationEssentials

/// Facts that the session bus and the keyring on it tell without a prompt.
struct KeyringFacts {
    /// The session bus's address; nil if the environment names no bus.
    let address: String?
    /// The program that runs the keyring; nil if the system does not name it.
    private(set) var program: KeyringProgram?
    /// The label of the keyring that new items go to, or else its path.
    private(set) var collection: String?
    /// Whether that keyring's file is unencrypted, as that of a keyring without a password is.
    private(set) var isInClear = false
    /// Whether secrets cross the session bus encrypted; nil if unknown.
    private(set) var isTransferEncrypted: Bool?

    /// Asks a bus on this machine, for a few seconds at most.
    ///
    /// - Parameter responds: Whether the keyring replies. If not, only the bus is asked.
    init(responds: Bool) {
        let environment = ProcessInfo.processInfo.environment
        let named = environment["DBUS_SESSION_BUS_ADDRESS"].flatMap { $0.isEmpty ? nil : $0 }
        address = named ?? environment["XDG_RUNTIME_DIR"].map { "unix:path=\($0)/bus" }
        // A list may also name a program that is started.
        let parts = address?.split(separator: ";", omittingEmptySubsequences: false) ?? [""]
        guard let address, parts.allSatisfy({ $0.hasPrefix("unix:") }), let bus = unsafe doctor_connect(address) else {
            return
        }
        defer { unsafe g_object_unref(gpointer(bus)) }
        let process = unsafe doctor_keyring_process(bus)
        program = process == 0 ? nil : KeyringProgram(process: process)
        guard responds, let path = unsafe Self.text(doctor_default_keyring(bus)) else { return }
        collection = unsafe Self.text(doctor_keyring_label(bus, path)) ?? path
        let encrypts = unsafe doctor_keyring_encrypts(bus)
        isTransferEncrypted = encrypts < 0 ? nil : encrypts == 1
        let data = environment["XDG_DATA_HOME"] ?? environment["HOME"].map { "\($0)/.local/share" }
        if let data, data.hasPrefix("/") { isInClear = KeyringFile.isInClear(path, in: "\(data)/keyrings") }
    }

    private static func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String? {
        guard let pointer = unsafe pointer else { return nil }
        defer { unsafe g_free(pointer) }
        return unsafe String(cString: pointer)
    }
}
#endif
