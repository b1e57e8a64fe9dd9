// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
import CSecretService

extension KeyringItems {
    /// Returns the prompt that makes a scope's items readable and writable; nil if no prompt is needed.
    func unlockPrompt(_ scope: StoreScope) throws -> PromptOffer? {
        try lockedObjects(scope).map { PromptOffer(bus: keyring.session.bus, owner: keyring.session.owner, path: $0) }
    }

    private func lockedObjects(_ scope: StoreScope) throws -> ObjectPath? {
        // The items first, because they may be in another keyring than the default one.
        let items = try keyring.searchItems(ItemAttributes.all(of: scope))
        guard items.locked.isEmpty else { return try keyring.unlock(items.locked) }
        guard let standard = try keyring.defaultCollection() else { return try keyring.createDefaultCollection() }
        guard try !keyring.isLocked(standard) else { return try keyring.unlock([standard]) }
        // Without an item, its absence is proved only once no keyring is locked.
        guard items.unlocked.isEmpty else { return nil }
        let others = try keyring.collections().filter { try keyring.isLocked($0) }
        return others.isEmpty ? nil : try keyring.unlock(others)
    }
}

/// A prompt that a provider offers, and that is not shown yet.
///
/// It belongs to the connection that asked for it: KeePassXC gives access to one connection, not to one process.
///
/// `@unchecked Sendable`: of the bus only its `GDBusConnection` is used, which GIO documents as safe to use from any
/// thread. The other properties never change.
struct PromptOffer: @unchecked Sendable {
    let bus: SessionBus
    let owner: String
    let path: ObjectPath
}

extension SessionBus {
    private static let promptInterface = "org.freedesktop.Secret.Prompt"
    private typealias PromptWait = Pending<Void, SecureStoreError>

    /// Shows a prompt and blocks until its `Completed` signal, or until its provider or the bus is gone.
    ///
    /// Uses only the bus's connection, and a context of its own, so other calls continue meanwhile.
    ///
    /// - Throws: ``SecureStoreError`` (`promptDismissed`; `noProvider` or `noSessionBus` if the provider or the bus
    ///   went away meanwhile; `timedOut`, and the prompt stays open; `failed`).
    ///
    /// [Secret Service API, prompts](https://specifications.freedesktop.org/secret-service-spec/latest/prompts.html).
    func showPrompt(at path: ObjectPath, of owner: String, before deadline: CallDeadline? = nil) throws {
        let context: OpaquePointer = unsafe g_main_context_new()
        unsafe g_main_context_push_thread_default(context)
        let wait = PromptWait()
        let handler = SignalHandler { signal, members in
            if signal == "Completed" {
                let isDismissed = members.first?.bool == true
                wait.result = isDismissed ? .failure(SecureStoreError(.promptDismissed)) : .success(())
            } else if members.last?.string == "", wait.result == nil {
                wait.result = .failure(SecureStoreError(.noProvider, detail: "exited during a prompt"))
            }
        }
        let subscriptions = [
            subscribe("Completed", of: Self.promptInterface, from: owner, at: path.text, handler),
            subscribe("NameOwnerChanged", of: Self.busName, from: Self.busName, at: nil, with: owner, handler),
        ]
        let leaving: UnsafeMutablePointer<GCancellable> = unsafe g_cancellable_new()
        let request = Request(
            destination: owner,
            path: path,
            interface: Self.promptInterface,
            method: "Prompt",
            arguments: [.string("")],
            reply: "()"
        )
        let call = unsafe start(request, 25_000, leaving)
        defer {
            // Ends the call alone, if it is still open, because it would keep the connection alive. This dismisses no
            // prompt.
            unsafe g_cancellable_cancel(leaving)
            while call.result == nil { unsafe g_main_context_iteration(context, 1) }
            unsafe g_object_unref(leaving)
            for subscription in subscriptions { unsafe g_dbus_connection_signal_unsubscribe(connection, subscription) }
            while unsafe g_main_context_iteration(context, 0) != 0 {}
            unsafe g_main_context_pop_thread_default(context)
            unsafe g_main_context_unref(context)
        }
        try unsafe receive(in: context, before: deadline) {
            // Some providers reply only when the prompt has ended, so a timeout of the call means nothing.
            if wait.result == nil, case .failure(let fault) = call.result, fault.kind != .timedOut {
                throw fault.storeError
            }
            return wait.result != nil
        }
        try wait.result?.get()
    }
}
#endif
