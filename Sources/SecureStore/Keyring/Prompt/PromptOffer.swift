// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
/// A prompt that a provider offers, and that is not shown until it is called.
///
/// [Secret Service API, prompts](https://specifications.freedesktop.org/secret-service-spec/latest/prompts.html).
///
/// `@unchecked Sendable`: of the bus only its `GDBusConnection` is used, which GIO documents as safe to use from any
/// thread. The other properties never change.
struct PromptOffer: @unchecked Sendable {
    let bus: SessionBus
    let owner: String
    let path: ObjectPath

    /// Shows the prompt and blocks until it has ended, however long the user takes.
    ///
    /// A caller that stops waiting does not end it.
    ///
    /// - Throws: ``SecureStoreError`` (`promptDismissed`; `noProvider` or `noSessionBus` if the provider or the bus
    ///   went away meanwhile; `failed`).
    func show() throws {
        try bus.showPrompt(at: path, of: owner).check()
    }
}
#endif
