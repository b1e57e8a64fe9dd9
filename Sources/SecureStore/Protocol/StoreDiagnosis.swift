// SPDX-License-Identifier: Apache-2.0

/// The findings of a store about its location.
///
/// Holds no secret, so it is safe to send with a support request.
public struct StoreDiagnosis: Sendable, Equatable {
    /// The strength of the location's protection.
    public var protection: StoreProtection
    /// The file name of the program that keeps the items; nil if no such program is known.
    ///
    /// For example `gnome-keyring-daemon`.
    public var provider: String?
    /// The address of the session bus, or the file.
    public var location: String?
    /// The keyring that new items go to, for example `login`.
    public var collection: String?
    /// Whether that keyring is locked; nil if unknown.
    public var isLocked: Bool?
    /// Whether secrets cross the session bus encrypted; nil if unknown, or if the store uses no bus.
    ///
    /// False only if the keyring offers no encryption. Then each program of the user that watches the bus can read
    /// them.
    public var isTransferEncrypted: Bool?
    /// The reason why the store can't be used; nil if it can.
    public var problem: SecureStoreError?
    /// The remedy for the problem, as a sentence for the user.
    public var advice: String?
    /// The command that solves the problem, if there is one.
    public var command: String?

    /// Creates a diagnosis.
    ///
    /// - Parameters:
    ///   - protection: The strength of the location's protection.
    ///   - location: The address of the session bus, or the file.
    ///   - problem: The reason why the store can't be used; nil if it can.
    public init(protection: StoreProtection, location: String? = nil, problem: SecureStoreError? = nil) {
        self.protection = protection
        self.location = location
        self.problem = problem
    }
}

extension SecureStore {
    /// Checks only whether the keys of the items can be read.
    ///
    /// - Returns: The findings.
    public func diagnose() async -> StoreDiagnosis {
        var diagnosis = StoreDiagnosis(protection: await protection)
        do {
            _ = try await keys()
            diagnosis.isLocked = false
        } catch let error as SecureStoreError {
            diagnosis.isLocked = error.code == .locked ? true : nil
            diagnosis.problem = error
        } catch {
            diagnosis.problem = SecureStoreError(.failed)
        }
        return diagnosis
    }
}
