#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why a store could not do or say something.
///
/// Holds no item and no key.
public struct SecureStoreError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What happened.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String {
            case locked
            case noSessionBus
            case noProvider
            case noCollection
            case timedOut
            case denied
            case itemTooLarge
            case invalidName
            case failed
        }

        private let value: Value

        /// The keyring is locked.
        ///
        /// What is in it is still there.
        public static let locked = Code(value: .locked)
        /// There is no session bus, or it can't be reached.
        public static let noSessionBus = Code(value: .noSessionBus)
        /// There is a bus, and no keyring service on it.
        public static let noProvider = Code(value: .noProvider)
        /// The keyring service has no default collection yet.
        public static let noCollection = Code(value: .noCollection)
        /// The keyring did not answer in time.
        public static let timedOut = Code(value: .timedOut)
        /// The keyring refused this process.
        public static let denied = Code(value: .denied)
        /// The item is larger than ``StoreLimits/maximumItemSize``.
        ///
        /// Nothing was changed.
        public static let itemTooLarge = Code(value: .itemTooLarge)
        /// The name is empty, too long, or holds a character that is not allowed.
        public static let invalidName = Code(value: .invalidName)
        /// The keyring service reported a fault of its own; ``SecureStoreError/detail`` names it.
        public static let failed = Code(value: .failed)

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// What happened.
    public let code: Code
    /// The service's own name for the fault, without its text: `org.freedesktop.DBus.Error.Failed`, say.
    public let detail: String?

    /// Makes an error, for stores and their doubles.
    ///
    /// - Parameters:
    ///   - code: What happened.
    ///   - detail: A machine-readable name of the fault; never a message, an item or a key.
    public init(_ code: Code, detail: String? = nil) {
        self.code = code
        self.detail = detail
    }

    /// Whether the store can't be used now, as against having been asked for something it never does.
    public var isUnavailable: Bool { code != .itemTooLarge && code != .invalidName }

    /// Equal by code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// One sentence that holds no secret.
    public var description: String {
        switch code {
        case .locked: "The keyring is locked."
        case .noSessionBus: "There is no session bus to reach a keyring on."
        case .noProvider: "No keyring service runs on this session bus."
        case .noCollection: "The keyring service has no default keyring."
        case .timedOut: "The keyring did not answer in time."
        case .denied: "The keyring refused this program."
        case .itemTooLarge: "The item is larger than \(StoreLimits.maximumItemSize) bytes."
        case .invalidName: "A store's name is 1 to 128 letters, digits, dots, hyphens and underscores."
        default: "The keyring service failed (\(detail ?? "no reason given"))."
        }
    }
}

extension SecureStoreError: LocalizedError {
    /// The sentence, for what shows `localizedDescription`.
    public var errorDescription: String? { description }
}
