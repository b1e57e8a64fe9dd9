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
    /// Who does not want to wait leaves, and this goes on.
    ///
    /// - Throws: ``SecureStoreError`` (`promptDismissed`, `noProvider` and `noSessionBus` where they went away
    ///   meanwhile, `failed`).
    func show() throws {
        try bus.showPrompt(at: path, of: owner).check()
    }
}
#endif
