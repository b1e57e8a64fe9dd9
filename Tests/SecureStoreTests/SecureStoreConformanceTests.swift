import AuthCore
import AuthTesting
import SecureStore
import Testing

/// A check that no store can fail is no check: each of these stores breaks a promise, and must be told.
@Suite struct SecureStoreConformanceTests {
    @Test(arguments: BrokenStore.Fault.allCases)
    func `a store that breaks a promise is found out`(fault: BrokenStore.Fault) async throws {
        var failed: [String] = []
        for check in SecureStoreConformance.checks {
            do { try await check.run(BrokenStore(fault)) } catch { failed.append(check.name) }
        }
        #expect(!failed.isEmpty)
    }

    @Test func `names of checks are unique`() {
        #expect(Set(SecureStoreConformance.checks.map(\.name)).count == SecureStoreConformance.checks.count)
    }
}

struct BrokenStore: SecureStore {
    enum Fault: CaseIterable {
        case stopsAtNUL
        case takesEmptyForAbsent
        case keepsTheFirstItem
        case takesAnySize
        case losesTheOldItemToOneTooLarge
        case doesNotRemove
        case failsToRemoveWhatIsAbsent
        case removesUnequal
        case keepsEqual
        case callsAbsentUnequal
        case ignoresCase
        case hasOneItem
    }

    private let fault: Fault
    private let memory = MemoryStore()

    init(_ fault: Fault) {
        self.fault = fault
    }

    var protection: StoreProtection { .memory }

    func item(forKey key: StoreKey) async throws -> SecretBytes? {
        let item = try await memory.item(forKey: place(of: key))
        switch fault {
        case .stopsAtNUL: return item.map { SecretBytes($0.unredacted.prefix { $0 != 0 }) }
        case .takesEmptyForAbsent: return item?.count == 0 ? nil : item
        default: return item
        }
    }

    func setItem(_ item: SecretBytes, forKey key: StoreKey) async throws {
        switch fault {
        case .keepsTheFirstItem where try await memory.item(forKey: key) != nil:
            return
        case .takesAnySize where item.count > StoreLimits.maximumItemSize:
            return
        case .losesTheOldItemToOneTooLarge where item.count > StoreLimits.maximumItemSize:
            try await memory.removeItem(forKey: key)
        default:
            break
        }
        try await memory.setItem(item, forKey: place(of: key))
    }

    func removeItem(forKey key: StoreKey) async throws {
        switch fault {
        case .doesNotRemove:
            return
        case .failsToRemoveWhatIsAbsent where try await memory.item(forKey: key) == nil:
            throw SecureStoreError(.failed)
        default:
            try await memory.removeItem(forKey: place(of: key))
        }
    }

    func removeItem(forKey key: StoreKey, ifEquals expected: SecretBytes) async throws -> Bool {
        let item = try await memory.item(forKey: key)
        switch fault {
        case .removesUnequal:
            try await memory.removeItem(forKey: key)
            return true
        case .keepsEqual:
            return item == nil || item == expected
        case .callsAbsentUnequal where item == nil:
            return false
        default:
            return try await memory.removeItem(forKey: place(of: key), ifEquals: expected)
        }
    }

    private func place(of key: StoreKey) throws -> StoreKey {
        switch fault {
        case .ignoresCase: try StoreKey(key.name.lowercased())
        case .hasOneItem: try StoreKey("item")
        default: key
        }
    }
}
