// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import AuthCore
import SecureStore
import Testing
import TestSupport

/// A provider that receives a call and sends no reply.
@Suite(.needsScriptedKeyring) struct KeyringHeldCallsTests {
    private let item = SecretBytes(text: "kept")
    private let brief = Duration.milliseconds(300)
    private static let present = [ScriptedKeyring.item("kept"), ScriptedKeyring.item("kept")]

    @Test(arguments: StoreMethods.pairs(StoreMethods.existing))
    func `a call times out at its deadline if any of its methods gets no response`(
        operation: StoreOperation,
        method: String
    ) async throws {
        try await ScriptedKeyring.with(Self.present) { keyring in
            let store = try keyring.store(deadline: brief)
            try await keyring.say("hold \(method)")
            // On a busy machine the deadline may pass before the method is called.
            var attempts = 0
            repeat {
                attempts += 1
                let time = await ContinuousClock().measure {
                    await #expect(throws: SecureStoreError(.timedOut)) {
                        try await operation.run(on: store, expecting: item)
                    }
                }
                #expect(time < .seconds(60))
            } while try await keyring.calls(of: method) == 0 && attempts < 100
            #expect(try await keyring.calls(of: method) > 0)
        }
    }

    @Test func `a call waits for a slow keyring until its deadline`() async throws {
        try await ScriptedKeyring.with(Self.present + ["hold GetSecret"]) { keyring in
            let store = try keyring.store(deadline: .seconds(60))
            let call = Task { try await store.item(forKey: .session) }
            try await keyring.waitForCall(of: "GetSecret")
            try await keyring.say("release")
            #expect(try await call.value == item)
        }
    }

    @Test func `a late response is not taken for the next call's response`() async throws {
        try await ScriptedKeyring.with(Self.present + ["hold GetSecret"]) { keyring in
            let store = try keyring.store(deadline: .seconds(60))
            let call = Task { try await store.item(forKey: .session) }
            try await keyring.waitForCall(of: "GetSecret")
            call.cancel()
            await #expect(throws: CancellationError.self) { try await call.value }
            try await keyring.say("release")
            #expect(try await store.item(forKey: StoreKey("other")) == nil)
            #expect(try await store.item(forKey: .session) == item)
        }
    }

    @Test(.enabled(if: PrivateKeyring.isAvailable), arguments: ThousandCalls.allCases)
    func `a thousand calls without a response all end in time and use only a few threads`(
        calls: ThousandCalls
    ) async throws {
        try await PrivateKeyring.with { keyring in
            try await ScriptedKeyring.with(["hold"]) { scripted in
                keyring.pause()
                let address = calls.isReal ? keyring.address : scripted.address
                let worker = try StoreWorkerProcess.start(
                    ["unanswered-calls", address, scripted.service, "1000", "\(calls.stores)"]
                )
                let report = try await worker.read(until: "done", timeout: .seconds(120))
                #expect(await worker.waitUntilExit(timeout: .seconds(60)) == 0)
                #expect(report.contains("timed out 1000"))
                let threads = try #require(report.firstMatch(of: /more threads (\d+)/)).1
                #expect(try #require(Int(threads)) < 64)
            }
        }
    }
}

/// The keyring that does not reply, and the number of stores that call it.
enum ThousandCalls: CaseIterable, CustomTestStringConvertible {
    case scripted
    case stopped
    case stoppedOfEightStores

    var isReal: Bool { self != .scripted }
    var stores: Int { self == .stoppedOfEightStores ? 8 : 1 }
    var testDescription: String { "\(stores) stores, \(isReal ? "a stopped gnome-keyring" : "a scripted keyring")" }
}
#endif
