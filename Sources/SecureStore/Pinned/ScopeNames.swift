// SPDX-License-Identifier: Apache-2.0

/// The names of a scope, which are kept beside its note, because the file name of a note does not show them.
///
/// They serve lists alone: if the file is missing or damaged, the session works as before.
///
///     sallyport-scope 1
///     service com.example.app
///     account default
struct ScopeNames: Sendable, Equatable {
    let service: StoreService
    let account: StoreAccount

    /// The largest file, in bytes: two names of the greatest length.
    static let maximumSize = 512
    static let ending: StaticString = "scope"
    private static let title = "sallyport-scope"
    private static let version = 1

    /// The names as they are written to the file.
    var text: String { "\(Self.title) \(Self.version)\nservice \(service)\naccount \(account)\n" }

    init(_ scope: StoreScope) {
        (service, account) = (scope.service, scope.account)
    }

    /// Returns whether a later version wrote the content of a file.
    static func isNewer(_ bytes: [UInt8]) -> Bool {
        do throws(SecureStoreError) {
            _ = try ScopeNames(bytes)
            return false
        } catch {
            return error.code == .newerFormat
        }
    }

    /// Reads the names.
    ///
    /// - Parameter bytes: The content of the file.
    /// - Throws: ``SecureStoreError`` (`newerFormat`; `damaged` for any content that this type would not write).
    init(_ bytes: [UInt8]) throws(SecureStoreError) {
        let damaged = SecureStoreError(.damaged, detail: "the names of a session's scope")
        guard let text = String(validating: bytes, as: UTF8.self) else { throw damaged }
        let lines = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        let body = Array(try VersionedLines.body(of: lines, Self.title, Self.version, orThrow: damaged))
        guard body.count == 2, body.allSatisfy({ $0.count == 2 }),
            let service = try? StoreService(body[0][1]), let account = try? StoreAccount(body[1][1])
        else { throw damaged }
        (self.service, self.account) = (service, account)
        guard self.text == text else { throw damaged }
    }
}
