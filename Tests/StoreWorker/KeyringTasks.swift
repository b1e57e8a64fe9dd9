// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import AuthCore
import Foundation
import SecureStore
import TestSupport

enum KeyringTasks {
    /// Runs `unanswered-calls ADDRESS SERVICE CALLS STORES`: makes CALLS calls at once, spread over STORES stores, to a
    /// keyring that never replies.
    ///
    /// Prints the number of calls that timed out, the time taken, and the number of additional threads.
    static func leaveUnanswered(_ arguments: WorkerArguments) async throws {
        let deadline = Duration.seconds(2)
        let stores = try (0..<arguments.number(3)).map { _ in try store(arguments, deadline: deadline) }
        let calls = try arguments.number(2)
        let before = try ThreadCount.now()
        let started = ContinuousClock.now
        let (timedOut, threads) = try await withThrowingTaskGroup(of: (Bool, Int).self) { group in
            for number in 0..<calls {
                let store = stores[number % stores.count]
                group.addTask {
                    let error = try await error { try await call(store, number) }
                    return (error == SecureStoreError(.timedOut), try ThreadCount.now())
                }
            }
            return try await group.reduce(into: (0, before)) { sum, call in
                sum = (sum.0 + (call.0 ? 1 : 0), max(sum.1, call.1))
            }
        }
        let time = started.duration(to: .now)
        guard time < .seconds(60) else { throw WorkerError("the calls took \(time)") }
        Output.say("timed out \(timedOut), more threads \(threads - before), in \(time)")
        Output.say("done")
    }

    /// Runs `read-keyring ADDRESS SERVICE`: reads an item and prints the result: an error's code, `nothing` or
    /// `something`.
    static func read(_ arguments: WorkerArguments) async throws {
        let store = try store(arguments, deadline: .seconds(60))
        do {
            let item = try await store.item(forKey: try StoreKey("session"))
            Output.say(item == nil ? "nothing" : "something")
        } catch let error as SecureStoreError {
            Output.say(error.code.description)
        }
        Output.say("done")
    }

    /// Runs `restart-keyring TIMES`: restarts a keyring TIMES times, reads an item each time, and prints the number of
    /// sockets that were opened since the first read.
    static func restart(_ arguments: WorkerArguments) async throws {
        let (scope, times) = (try StoreScope(service: "com.example.tests"), try arguments.number(0))
        try await PrivateKeyring.with { keyring in
            let store = KeyringStore(scope: scope, deadline: .seconds(60), busAddress: keyring.address)
            _ = try await store.item(forKey: try StoreKey("session"))
            let before = try SocketCount.now()
            for _ in 0..<times {
                try await keyring.kill()
                try await keyring.start(.unlocked)
                _ = try await store.item(forKey: try StoreKey("session"))
            }
            Output.say("more sockets \(try SocketCount.now() - before)")
        }
        Output.say("done")
    }

    private static func call(_ store: KeyringStore, _ number: Int) async throws {
        let key = try StoreKey("session")
        switch number % 3 {
        case 0: _ = try await store.item(forKey: key)
        case 1: try await store.setItem(SecretBytes([1]), forKey: key)
        default: try await store.removeItem(forKey: key)
        }
    }

    private static func error(of call: () async throws -> Void) async throws -> SecureStoreError? {
        do {
            try await call()
            return nil
        } catch let error as SecureStoreError {
            return error
        }
    }

    /// Creates a store on the bus of the first argument, for the service of the second.
    static func store(_ arguments: WorkerArguments, deadline: Duration) throws -> KeyringStore {
        KeyringStore(scope: try StoreScope(service: arguments[1]), deadline: deadline, busAddress: try arguments[0])
    }
}

/// The number of open sockets of this process.
private enum SocketCount {
    static func now() throws -> Int {
        let (files, folder) = (FileManager.default, "/proc/self/fd")
        // The descriptor that lists the folder is closed again by now.
        return try files.contentsOfDirectory(atPath: folder).count { descriptor in
            (try? files.destinationOfSymbolicLink(atPath: "\(folder)/\(descriptor)"))?.hasPrefix("socket:") == true
        }
    }
}

/// The number of threads of this process.
enum ThreadCount {
    static func now() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("Threads:") }),
            let number = Int(line.dropFirst("Threads:".count).trimmingCharacters(in: .whitespaces))
        else { throw WorkerError("no number of threads in /proc/self/status") }
        return number
    }
}
#endif
