/// What a store finds when it looks at its place.
///
/// Holds no secret: fit for a support request.
public struct StoreDiagnosis: Sendable, Equatable {
    /// How strongly the place protects what it keeps.
    public var protection: StoreProtection
    /// The file name of the program that keeps the items.
    ///
    /// `gnome-keyring-daemon`, say. Nil where there is none.
    public var provider: String?
    /// Where it is reached: the address of the session bus, or a file.
    public var place: String?
    /// The keyring that new items go to: `login`, say.
    public var collection: String?
    /// Whether that is locked; nil where it can't be known.
    public var isLocked: Bool?
    /// Why the store can't be used; nil where it can.
    public var problem: SecureStoreError?
    /// What to do about the problem, as a sentence for the person.
    public var advice: String?
    /// The command that mends the problem, where one does.
    public var command: String?

    /// Describes a store.
    ///
    /// - Parameters:
    ///   - protection: How strongly the place protects.
    ///   - place: Where it is.
    ///   - problem: Why it can't be used; nil where it can.
    public init(protection: StoreProtection, place: String? = nil, problem: SecureStoreError? = nil) {
        self.protection = protection
        self.place = place
        self.problem = problem
    }
}

extension SecureStore {
    /// Looks whether the names of the items can be read, and says no more than that.
    ///
    /// - Returns: What was found.
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
