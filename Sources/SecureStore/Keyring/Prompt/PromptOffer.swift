#if Keyring && canImport(CSecretService)
/// A prompt that a provider offers: nothing is shown until it is called.
///
/// [Secret Service API, prompts](https://specifications.freedesktop.org/secret-service-spec/latest/prompts.html).
///
/// `@unchecked Sendable`: of the bus only its `GDBusConnection` is used, which GIO documents as safe to use from any
/// thread; the rest never changes.
struct PromptOffer: @unchecked Sendable {
    let bus: SessionBus
    let owner: String
    let path: ObjectPath

    /// Shows the prompt and blocks until it has ended, as long as the person takes.
    ///
    /// It is never dismissed from here: gnome-keyring-daemon aborts on that, and locks every program's secrets. Who
    /// does not want to wait leaves, and this goes on.
    ///
    /// - Throws: ``SecureStoreError`` (`promptDismissed`, `noProvider` and `noSessionBus` where they went away
    ///   meanwhile, `failed`).
    func show() throws {
        switch bus.showPrompt(at: path, of: owner) {
        case .completed: break
        case .dismissed: throw SecureStoreError(.promptDismissed)
        case .providerGone: throw SecureStoreError(.noProvider, detail: "gone while it prompted")
        case .busGone: throw SecureStoreError(.noSessionBus, detail: "gone during a prompt")
        case .refused(let fault): throw fault.storeError
        }
    }
}
#endif
