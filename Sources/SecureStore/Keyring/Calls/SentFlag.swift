#if Keyring && canImport(CSecretService)
internal import Synchronization

/// Whether something was sent, for who has to begin anew without knowing whether it arrived.
final class SentFlag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .acquiring) }

    func set() { flag.store(true, ordering: .releasing) }
}
#endif
