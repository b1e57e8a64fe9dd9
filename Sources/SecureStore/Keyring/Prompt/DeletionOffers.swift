#if Keyring && canImport(CSecretService)
internal import Synchronization

/// The prompts by which a keyring would delete what a removal has emptied.
///
/// Collected under the lock of all processes and shown outside of it, because the user may take long.
final class DeletionOffers: Sendable {
    private let offers = Mutex<[PromptOffer]>([])

    var all: [PromptOffer] { offers.withLock { $0 } }

    func add(_ offer: PromptOffer) {
        offers.withLock { $0.append(offer) }
    }
}
#endif
