// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Synchronization

/// A keychain in memory that follows the documentation of `SecItem*`; the system's module has no such type.
///
/// One keychain is in use at a time: stores call from threads of their own, which are not bound to a test.
public final class StandInKeychain: Sendable {
    /// The lock state of the device.
    public enum Device: Sendable {
        /// The device has started and was not unlocked since.
        case neverUnlocked
        /// The device was unlocked once since it started, and is locked again.
        case locked
        /// The device is in use.
        case unlocked
    }

    /// One of the four calls.
    public enum Call: Sendable, Hashable {
        /// `SecItemAdd`.
        case add
        /// `SecItemCopyMatching`.
        case copy
        /// `SecItemUpdate`.
        case update
        /// `SecItemDelete`.
        case delete
    }

    /// One stored item.
    public struct Item: Sendable, Equatable {
        /// `kSecAttrService`.
        public let service: String
        /// `kSecAttrAccount`.
        public let account: String
        /// `kSecAttrAccessGroup`.
        public let group: String
        /// `kSecAttrSynchronizable`.
        public let isSynchronizable: Bool
        /// `kSecAttrAccessible`.
        public internal(set) var accessible: String
        /// `kSecValueData`.
        public internal(set) var data: Data
    }

    private static let used = Mutex(StandInKeychain())
    private let state = Mutex(StandInState())
    private let interference = Mutex<[(call: Call, body: @Sendable () -> Void)]>([])

    /// Creates an empty keychain.
    public init() {}

    static var current: StandInKeychain { used.withLock { $0 } }

    /// Makes this keychain the one that all calls go to.
    public func use() {
        Self.used.withLock { $0 = self }
    }

    /// The stored items.
    public var items: [Item] { state.withLock { $0.items } }
    /// The calls so far.
    public var calls: [Call] { state.withLock { $0.calls } }

    /// Locks or unlocks the device.
    public func setDevice(_ device: Device) {
        state.withLock { $0.device = device }
    }

    /// Sets the program's access groups, its own first.
    public func setGroups(_ groups: [String]) {
        state.withLock { $0.groups = groups }
    }

    /// Sets whether the device has a passcode.
    public func setPasscode(_ isSet: Bool) {
        state.withLock { $0.hasPasscode = isSet }
    }

    /// Fails every call of a kind with a status; nil ends that.
    public func fail(_ call: Call, with status: OSStatus?) {
        state.withLock { $0.statuses[call] = status }
    }

    /// Runs a closure right before the next call of a kind, as another app might interfere.
    public func before(_ call: Call, do body: @escaping @Sendable () -> Void) {
        interference.withLock { $0.append((call, body)) }
    }

    func call<Answer: Sendable>(_ call: Call, _ work: (inout StandInState) -> Answer) -> Answer {
        let body = interference.withLock { list in
            list.firstIndex { $0.call == call }.map { list.remove(at: $0).body }
        }
        body?()
        return state.withLock { state in
            state.calls.append(call)
            return work(&state)
        }
    }
}
