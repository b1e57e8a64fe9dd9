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
            case promptDismissed
            case sandboxed
            case busy
            case full
            case damaged
            case truncated
            case newerFormat
            case wrongPassphrase
            case itemTooLarge
            case invalidName
            case invalidPassphrase
            case scopeMismatch
            case unknownPlace
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
        /// The store did not answer in time.
        public static let timedOut = Code(value: .timedOut)
        /// The keyring or the file system refused this process.
        public static let denied = Code(value: .denied)
        /// The person, or a machine without a screen, dismissed the prompt that was to unlock the keyring.
        public static let promptDismissed = Code(value: .promptDismissed)
        /// This program runs in a sandbox that lets it reach no keyring.
        public static let sandboxed = Code(value: .sandboxed)
        /// Another process held the lock for longer than was to be waited.
        public static let busy = Code(value: .busy)
        /// There is no room left.
        ///
        /// The old item is still there.
        public static let full = Code(value: .full)
        /// What is kept was altered, or is not what was written.
        ///
        /// Nothing was changed.
        public static let damaged = Code(value: .damaged)
        /// The file ends before its end.
        ///
        /// Nothing was changed.
        public static let truncated = Code(value: .truncated)
        /// The file was written by a newer version of this library.
        ///
        /// Nothing was changed.
        public static let newerFormat = Code(value: .newerFormat)
        /// The passphrase does not open the file.
        ///
        /// Nothing was changed.
        public static let wrongPassphrase = Code(value: .wrongPassphrase)
        /// The item is larger than ``StoreLimits/maximumItemSize``.
        ///
        /// Nothing was changed.
        public static let itemTooLarge = Code(value: .itemTooLarge)
        /// The name is empty, too long, or holds a character that is not allowed.
        public static let invalidName = Code(value: .invalidName)
        /// The passphrase is empty or too long, or is not where it was to be read from.
        public static let invalidPassphrase = Code(value: .invalidPassphrase)
        /// Places that were to keep one session are stores of different services or accounts.
        public static let scopeMismatch = Code(value: .scopeMismatch)
        /// The session is kept in a place that this program does not offer.
        ///
        /// What is in it is still there. ``SecureStoreError/detail`` names the place.
        public static let unknownPlace = Code(value: .unknownPlace)
        /// The keyring service or the file system reported a fault of its own.
        ///
        /// ``SecureStoreError/detail`` names it.
        public static let failed = Code(value: .failed)

        /// The code's name.
        public var description: String { value.rawValue }
    }

    /// What happened.
    public let code: Code
    /// The service's own name for the fault, without its text: `org.freedesktop.DBus.Error.Failed`, say.
    public let detail: String?
    /// The process that holds the lock, for `busy` and if the system says.
    package let holder: LockHolder?

    /// Makes an error, for stores and their doubles.
    ///
    /// - Parameters:
    ///   - code: What happened.
    ///   - detail: A machine-readable name of the fault; never a message, an item or a key.
    public init(_ code: Code, detail: String? = nil) {
        self.init(code, detail: detail, holder: nil)
    }

    /// Makes an error that names the process that is in the way.
    ///
    /// - Parameters:
    ///   - code: What happened.
    ///   - detail: A machine-readable name of the fault.
    ///   - holder: The process that holds the lock, if the system says.
    package init(_ code: Code, detail: String?, holder: LockHolder?) {
        self.code = code
        self.detail = detail
        self.holder = holder
    }

    /// What a store threw, as such an error: a store of somebody else's may throw anything.
    package init(cause: any Error) {
        self = (cause as? SecureStoreError) ?? SecureStoreError(.failed)
    }

    /// Whether the store can't be used now, as against having been asked for something it never does.
    public var isUnavailable: Bool {
        ![.itemTooLarge, .invalidName, .invalidPassphrase, .scopeMismatch].contains(code)
    }

    /// Whether a change that failed so may have been made all the same.
    ///
    /// The answer did not come. With every other code the old item is still there.
    public var isOutcomeUnknown: Bool { [.timedOut, .noProvider, .noSessionBus].contains(code) }

    /// Equal by code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// One sentence that holds no secret.
    public var description: String {
        switch code {
        case .locked: "The keyring is locked."
        case .noSessionBus: "There is no session bus to reach a keyring on."
        case .noProvider: "No keyring service runs on this session bus."
        case .noCollection: "The keyring service has no default keyring."
        case .timedOut: "The store did not answer in time."
        case .denied: "The store refused this program\(reason)."
        case .promptDismissed: "The prompt to unlock the keyring was dismissed."
        case .sandboxed: "This program runs in a sandbox that lets it reach no keyring."
        case .busy: holder.map { "The store is in use by \($0)." } ?? "Another process is using the store."
        case .full: "There is no room left to write to."
        case .damaged: "What the store holds was altered or damaged\(reason)."
        case .truncated: "The store's file ends before its end."
        case .newerFormat: "The store's file was written by a newer version of this program."
        case .wrongPassphrase: "The passphrase does not open the store's file."
        case .itemTooLarge: "The item is larger than \(StoreLimits.maximumItemSize) bytes."
        case .invalidName: "A store's name is 1 to 128 letters, digits, dots, hyphens and underscores."
        case .invalidPassphrase: "There is no passphrase of 1 to 4096 bytes\(reason)."
        case .scopeMismatch: "The places are stores of different services or accounts."
        case .unknownPlace: "The session is kept in a place that this program does not offer\(reason)."
        default: "The store failed (\(detail ?? "no reason given"))."
        }
    }

    private var reason: String { detail.map { " (\($0))" } ?? "" }
}

extension SecureStoreError: LocalizedError {
    /// The sentence, for what shows `localizedDescription`.
    public var errorDescription: String? { description }
}
