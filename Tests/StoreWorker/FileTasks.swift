// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile
import AuthCore
import Foundation
import SecureStore
import TestSupport

enum FileTasks {
    /// Runs `write-file FOLDER SERVICE LOG NUMBER`: writes the numbers after NUMBER until killed, each as a whole item,
    /// and logs each number after it is written.
    static func write(_ arguments: WorkerArguments) async throws {
        let store = try store(arguments)
        let log = try FileHandle(forWritingTo: URL(fileURLWithPath: try arguments[2]))
        try log.seekToEnd()
        var number = try arguments.number(3)
        StoreWorker.endWithTest()
        Output.say("ready")
        while true {
            number += 1
            try await store.setItem(SecretBytes(item(number).utf8), forKey: try StoreKey("number"))
            try log.write(contentsOf: Data("\(number)\n".utf8))
        }
    }

    /// Runs `write-items FOLDER SERVICE PREFIX COUNT`: writes COUNT items with different names.
    static func writeItems(_ arguments: WorkerArguments) async throws {
        let store = try store(arguments)
        Output.say("ready")
        for number in 1...(try arguments.number(3)) {
            try await store.setItem(SecretBytes("\(number)".utf8), forKey: try StoreKey("\(arguments[2])-\(number)"))
        }
        Output.say("done")
    }

    /// Runs `fill-file FOLDER SERVICE`: writes an item, then tries to write items for which there is no space.
    static func fill(_ arguments: WorkerArguments) async throws {
        let store = try store(arguments)
        let (key, old) = (try StoreKey("session"), SecretBytes("written while there was room".utf8))
        try await store.setItem(old, forKey: key)
        for _ in 0..<3 {
            do {
                try await store.setItem(SecretBytes(Array(repeating: 7, count: 200_000)), forKey: key)
                throw WorkerError("a full disk took an item")
            } catch let error as SecureStoreError where error.code == .full {
                guard try await store.item(forKey: key) == old else { throw WorkerError("the old item is gone") }
            }
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: try arguments[0])
        guard files.allSatisfy({ !$0.hasSuffix(".draft") }) else { throw WorkerError("a draft was left") }
        Output.say("done")
    }

    /// Runs `keep-derived-key FOLDER SERVICE`: writes an item, and reads it, with stores that keep the derived key.
    static func keepDerivedKey(_ arguments: WorkerArguments) async throws {
        let (key, item) = (try StoreKey("session"), SecretBytes("kept".utf8))
        try await store(arguments, keepsDerivedKey: true).setItem(item, forKey: key)
        guard try await store(arguments, keepsDerivedKey: true).item(forKey: key) == item else {
            throw WorkerError("the item is gone")
        }
    }

    /// Returns a long text that repeats the number, so that a mixture of two texts is visible.
    private static func item(_ number: Int) -> String {
        Array(repeating: "\(number)", count: 500).joined(separator: " ")
    }

    private static func store(
        _ arguments: WorkerArguments,
        keepsDerivedKey: Bool = false
    ) throws -> EncryptedFileStore {
        EncryptedFileStore(
            scope: try StoreScope(service: arguments[1]),
            folder: try arguments[0],
            secret: .passphrase({ try Passphrase("a passphrase for tests") }, keepsDerivedKey: keepsDerivedKey),
            deadline: .seconds(60),
            cost: ScryptCost(4)
        )
    }
}
#endif
