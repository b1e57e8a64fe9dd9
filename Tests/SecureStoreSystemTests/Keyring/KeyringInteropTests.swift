// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import AuthCore
import Foundation
import SecureStore
import Testing
import TestSupport

/// Interoperation with Python's `secretstorage`, which works without libsecret and over an encrypted session.
@Suite(.needsKeyring, .needsScriptedKeyring) struct KeyringInteropTests {
    private let item = SecretBytes(Array(UInt8.min...UInt8.max))
    private static let attributes = [
        "application=sallyport", "service=com.example.tests", "account=default", "key=session",
    ]

    @Test func `Python's secretstorage reads a stored item byte for byte`() async throws {
        try await PrivateKeyring.with { keyring in
            let store = try keyring.store()
            try await store.setItem(item, forKey: .session)
            let read = try await python(["read"], in: keyring)
            #expect(read.exitCode == 0 && Array(read.standardOutput) == item.unredacted)
            try await store.removeItem(forKey: .session)
            #expect(try await python(["read"], in: keyring).errorText == "no item\n")
        }
    }

    @Test func `an item created by Python's secretstorage can be read, written and removed`() async throws {
        try await PrivateKeyring.with { keyring in
            let store = try keyring.store()
            let made = try await python(["write", "made by Python"], in: keyring, input: Data(item.unredacted))
            #expect(made.exitCode == 0)
            #expect(try await store.item(forKey: .session) == item)
            try await store.setItem(SecretBytes(text: "ours"), forKey: .session)
            #expect(try await python(["count"], in: keyring).text == "1\n")
            #expect(try await python(["read"], in: keyring).text == "ours")
            _ = try await python(["write", "made by Python"], in: keyring, input: Data("theirs".utf8))
            #expect(try await store.item(forKey: .session) == SecretBytes(text: "theirs"))
            try await store.removeItem(forKey: .session)
            #expect(try await python(["count"], in: keyring).text == "0\n")
        }
    }

    private func python(
        _ arguments: [String],
        in keyring: PrivateKeyring,
        input: Data = Data()
    ) async throws -> Command.Output {
        try await Command.secretStorage(arguments + Self.attributes, environment: keyring.environment, input: input)
    }
}

extension Command {
    /// Runs `Tests/Support/python-secretstorage`.
    static func secretStorage(
        _ arguments: [String],
        environment: [String: String],
        input: Data = Data()
    ) async throws -> Output {
        try await Command(
            SupportFiles.path("python-secretstorage"),
            arguments,
            environment: environment,
            input: input
        ).run()
    }
}
#endif
