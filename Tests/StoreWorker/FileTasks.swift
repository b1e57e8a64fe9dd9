#if EncryptedFile
import AuthCore
import Foundation
import SecureStore
import TestSupport

enum FileTasks {
    /// `write-file FOLDER SERVICE LOG NUMBER`: writes the numbers after that one until killed, each as a whole item, and
    /// logs each once it is written.
    static func write(_ arguments: WorkerArguments) async throws {
        let store = try store(arguments)
        let log = try FileHandle(forWritingTo: URL(fileURLWithPath: try arguments[2]))
        try log.seekToEnd()
        var number = try arguments.number(3)
        Output.say("ready")
        while true {
            number += 1
            try await store.setItem(SecretBytes(item(number).utf8), forKey: try StoreKey("number"))
            try log.write(contentsOf: Data("\(number)\n".utf8))
        }
    }

    /// `write-items FOLDER SERVICE PREFIX COUNT`: writes so many items of different names.
    static func writeItems(_ arguments: WorkerArguments) async throws {
        let store = try store(arguments)
        Output.say("ready")
        for number in 1...(try arguments.number(3)) {
            try await store.setItem(SecretBytes("\(number)".utf8), forKey: try StoreKey("\(arguments[2])-\(number)"))
        }
        Output.say("done")
    }

    /// `fill-file FOLDER SERVICE`: writes an item, and then ones for which there is no room.
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

    /// What is written for a number: long, and the same all through, so that a mixture shows.
    private static func item(_ number: Int) -> String {
        Array(repeating: "\(number)", count: 500).joined(separator: " ")
    }

    private static func store(_ arguments: WorkerArguments) throws -> EncryptedFileStore {
        EncryptedFileStore(
            scope: StoreScope(service: try StoreService(arguments[1])),
            folder: try arguments[0],
            passphrase: try Passphrase("a passphrase for tests"),
            deadline: .seconds(60),
            cost: ScryptCost(logRounds: 4)
        )
    }
}
#endif
