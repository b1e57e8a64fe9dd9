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
        let subscriptions = [
            subscribe(wait, "Completed", of: Self.promptInterface, from: owner, at: path.text, nil),
            subscribe(wait, "NameOwnerChanged", of: Self.ownName, from: Self.ownName, at: nil, owner),
        ]
        // GIO reports a closed connection to a context that no thread iterates now, and the deadline has no event. The
        // loop therefore checks both at each tick.
        let tick = unsafe g_timeout_source_new(deadline == nil ? 500 : 50)
        unsafe g_source_set_callback(tick, { _ in 1 }, nil, nil)
        unsafe g_source_attach(tick, context)
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
            unsafe g_source_destroy(tick)
            unsafe g_source_unref(tick)
            for subscription in subscriptions { unsafe g_dbus_connection_signal_unsubscribe(connection, subscription) }
            while unsafe g_main_context_iteration(context, 0) != 0 {}
            unsafe g_main_context_pop_thread_default(context)
            unsafe g_main_context_unref(context)
        }
        while true {
            if let outcome = wait.result { return try outcome.get() }
            // Some providers reply only when the prompt has ended, so a timeout of the call means nothing.
            if case .failure(let fault) = call.result, fault.kind != .timedOut { throw fault.storeError }
            guard unsafe g_dbus_connection_is_closed(connection) == 0 else {
                throw SecureStoreError(.noSessionBus, detail: "disconnected during a prompt")
            }
            _ = try deadline?.remainingMilliseconds()
            unsafe g_main_context_iteration(context, 1)
        }
    }

    /// Subscribes to a signal, which is delivered while this thread iterates its context.
    private func subscribe(
        _ wait: PromptWait,
        _ signal: String,
        of interface: String,
        from sender: String,
        at path: String?,
        _ argument: String?
    ) -> guint {
        unsafe g_dbus_connection_signal_subscribe(
            connection,
            sender,
            interface,
            signal,
            path,
            argument,
            G_DBUS_SIGNAL_FLAGS_NONE,
            { _, _, _, _, name, parameters, wait in
                guard let name = unsafe name, let parameters = unsafe parameters, let wait = unsafe wait else { return }
                let waiting = unsafe Unmanaged<PromptWait>.fromOpaque(wait).takeUnretainedValue()
                let members = unsafe Variant(taking: g_variant_ref(parameters)).children
                if unsafe String(cString: name) == "Completed" {
                    let isDismissed = members.first?.bool == true
                    waiting.result = isDismissed ? .failure(SecureStoreError(.promptDismissed)) : .success(())
                } else if members.last?.string == "", waiting.result == nil {
                    waiting.result = .failure(SecureStoreError(.noProvider, detail: "exited during a prompt"))
                }
            },
            Unmanaged.passRetained(wait).toOpaque(),
            { wait in
                guard let wait = unsafe wait else { return }
                unsafe Unmanaged<PromptWait>.fromOpaque(wait).release()
            }
        )
    }
}
#endif
