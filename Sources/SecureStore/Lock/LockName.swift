import AuthCore
import Crypto

/// The file names of the locks and notes of a scope.
enum LockName {
    /// A name that says nothing of the scope to who lists the folder, and is the same in every program.
    ///
    /// - Parameters:
    ///   - purpose: What for: two purposes of one scope never wait for each other.
    ///   - scope: The service and account.
    ///   - ending: What kind of file: `lock`, or `note`.
    /// - Returns: The file's name, without a folder.
    static func of(_ purpose: StaticString, _ scope: StoreScope, ending: StaticString = "lock") -> String {
        // Names can't hold a NUL, so no two make one text.
        let text = "\(purpose)\0\(scope.service.name)\0\(scope.account.name)"
        return Hexadecimal.encode(Array(SHA256.hash(data: Array(text.utf8)))).prefix(40) + ".\(ending)"
    }
}
