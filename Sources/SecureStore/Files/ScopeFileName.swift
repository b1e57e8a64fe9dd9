import AuthCore
import Crypto

/// The file names of a scope's locks, notes and files.
enum ScopeFileName {
    /// A name that says nothing of the scope to who lists the folder, and is the same in every program.
    ///
    /// - Parameters:
    ///   - purpose: What for: two purposes of one scope never wait for each other.
    ///   - scope: The service and account.
    ///   - bus: The session bus that the file is about; nil if it is about none.
    ///   - ending: What kind of file it is.
    /// - Returns: The name.
    static func of(
        _ purpose: StaticString,
        _ scope: StoreScope,
        onBus bus: String? = nil,
        ending: StaticString = "lock"
    ) -> String {
        "\(stem(purpose, scope, onBus: bus)).\(ending)"
    }

    /// Such a name without an ending.
    ///
    /// - Parameters:
    ///   - purpose: What for.
    ///   - scope: The service and account.
    ///   - bus: The session bus that the file is about; nil if it is about none.
    /// - Returns: The name.
    static func stem(_ purpose: StaticString, _ scope: StoreScope, onBus bus: String? = nil) -> String {
        // Names can't hold a NUL, so no two make one text.
        let text = "\(purpose)\0\(scope.service.name)\0\(scope.account.name)\(bus.map { "\0\($0)" } ?? "")"
        return String(Hexadecimal.encode(Array(SHA256.hash(data: Array(text.utf8)))).prefix(40))
    }
}
