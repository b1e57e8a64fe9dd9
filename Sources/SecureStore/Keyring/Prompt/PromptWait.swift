// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
internal import CSecretService

/// The end of a prompt.
enum PromptOutcome {
    case completed
    case dismissed
    case providerGone
    case busGone
    case refused(BusError)

    /// Throws unless the prompt was completed.
    ///
    /// - Throws: ``SecureStoreError`` (`promptDismissed`; `noProvider` or `noSessionBus` if the provider or the bus
    ///   went away meanwhile; `failed`).
    func check() throws(SecureStoreError) {
        switch self {
        case .completed: return
        case .dismissed: throw SecureStoreError(.promptDismissed)
        case .providerGone: throw SecureStoreError(.noProvider, detail: "exited during a prompt")
        case .busGone: throw SecureStoreError(.noSessionBus, detail: "disconnected during a prompt")
        case .refused(let fault): throw fault.storeError
        }
    }
}

/// The outcome of a prompt, as the waiting thread has received it.
///
/// Not shared with another thread: GIO calls back from within the iteration of that thread's context.
private final class PromptWait {
    var outcome: PromptOutcome?
}

extension SessionBus {
    /// Calls a prompt and blocks until its `Completed` signal, or until its provider or the bus is gone.
    ///
    /// Uses only the bus's connection, and a context of its own, so other calls continue meanwhile. This code never
    /// dismisses the prompt: gnome-keyring-daemon aborts on that, and locks every program's secrets.
    ///
    /// - Parameters:
    ///   - path: The prompt.
    ///   - owner: The bus name of the prompt's provider.
    ///   - deadline: The deadline of the wait; nil for no limit.
    /// - Returns: The outcome.
    /// - Throws: ``SecureStoreError`` (`timedOut`); the prompt is left open.
    func showPrompt(
        at path: ObjectPath,
        of owner: String,
        before deadline: CallDeadline? = nil
    ) throws(SecureStoreError) -> PromptOutcome {
        let context: OpaquePointer = unsafe g_main_context_new()
        unsafe g_main_context_push_thread_default(context)
        let wait = PromptWait()
        let subscriptions = [
            subscribe(to: Self.completed, from: owner, at: path.text, nil, wait) { name, parameters, wait in
                guard name == "Completed" else { return }
                wait.outcome = parameters.first?.bool == true ? .dismissed : .completed
            },
            subscribe(to: Self.ownerChanged, from: Self.bus, at: Self.busPath, owner, wait) { _, parameters, wait in
                if parameters.last?.string == "" { wait.outcome = wait.outcome ?? .providerGone }
            },
        ]
        // GIO reports a closed connection to a context that no thread iterates now, and the deadline has no event. The
        // loop therefore checks both at each tick.
        let tick = unsafe g_timeout_source_new(deadline == nil ? 500 : 50)
        unsafe g_source_set_callback(tick, { _ in 1 }, nil, nil)
        unsafe g_source_attach(tick, context)
        let (call, leaving) = (PendingReply(), Cancellation())
        let request = Request(method: Self.prompt, destination: owner, path: path, arguments: [.string("")])
        start(request, call, Self.promptCallTimeout, leaving)
        defer {
            // Ends the call alone, if it is still open, because it would keep the connection alive. This dismisses no
            // prompt.
            leaving.cancel()
            while call.result == nil { unsafe g_main_context_iteration(context, 1) }
            unsafe g_source_destroy(tick)
            unsafe g_source_unref(tick)
            for subscription in subscriptions { unsafe g_dbus_connection_signal_unsubscribe(connection, subscription) }
            while unsafe g_main_context_iteration(context, 0) != 0 {}
            unsafe g_main_context_pop_thread_default(context)
            unsafe g_main_context_unref(context)
        }
        while true {
            if let outcome = wait.outcome { return outcome }
            // Some providers reply only when the prompt has ended, so a timeout of the call means nothing.
            if case .failure(let fault) = call.result, fault.kind != .timedOut { return .refused(fault) }
            guard unsafe g_dbus_connection_is_closed(connection) == 0 else { return .busGone }
            _ = try deadline?.remainingMilliseconds()
            unsafe g_main_context_iteration(context, 1)
        }
    }

    private static let bus = "org.freedesktop.DBus"
    private static let busPath = "/org/freedesktop/DBus"
    private static let prompt = Method(interface: "org.freedesktop.Secret.Prompt", name: "Prompt", reply: "()")
    private static let completed = Signal(interface: "org.freedesktop.Secret.Prompt", name: "Completed")
    private static let ownerChanged = Signal(interface: bus, name: "NameOwnerChanged")
    private static let promptCallTimeout: Int32 = 25_000

    private struct Signal {
        let interface: String
        let name: String
    }

    /// The handler of a signal; it receives the signal's name and members.
    private final class Listener {
        let wait: PromptWait
        let hear: (String, [Variant], PromptWait) -> Void

        init(_ wait: PromptWait, _ hear: @escaping (String, [Variant], PromptWait) -> Void) {
            self.wait = wait
            self.hear = hear
        }
    }

    private func subscribe(
        to signal: Signal,
        from sender: String,
        at path: String,
        _ argument: String?,
        _ wait: PromptWait,
        _ hear: @escaping (String, [Variant], PromptWait) -> Void
    ) -> guint {
        let listener = unsafe Unmanaged.passRetained(Listener(wait, hear)).toOpaque()
        return unsafe g_dbus_connection_signal_subscribe(
            connection,
            sender,
            signal.interface,
            signal.name,
            path,
            argument,
            G_DBUS_SIGNAL_FLAGS_NONE,
            { _, _, _, _, name, parameters, listener in
                guard let name = unsafe name, let parameters = unsafe parameters, let listener = unsafe listener else {
                    return
                }
                let listening = unsafe Unmanaged<Listener>.fromOpaque(listener).takeUnretainedValue()
                let members = unsafe Variant(taking: g_variant_ref(parameters)).children
                listening.hear(unsafe String(cString: name), members, listening.wait)
            },
            listener,
            { listener in
                guard let listener = unsafe listener else { return }
                unsafe Unmanaged<Listener>.fromOpaque(listener).release()
            }
        )
    }
}
#endif
