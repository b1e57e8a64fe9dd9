// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Crypto

/// The file names of a scope's locks, notes and files.
enum ScopeFileName {
    /// Returns a file name that does not show the scope in a folder listing, and is the same in every program.
    ///
    /// - Parameters:
    ///   - purpose: Locks of one scope with different purposes are independent.
    ///   - bus: The session bus that the file belongs to, if any.
    static func of(
        _ purpose: StaticString,
        _ scope: StoreScope,
        onBus bus: String? = nil,
        ending: StaticString = "lock"
    ) -> String {
        // The parts can't contain a NUL, so two different lists never give the same text.
        let text = "\(purpose)\0\(scope.service)\0\(scope.account)\(bus.map { "\0\($0)" } ?? "")"
        return "\(Hexadecimal.encode(Array(SHA256.hash(data: Array(text.utf8)))).prefix(40)).\(ending)"
    }
}
