// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
// The declaration of `environ` is mutable. Nothing in this process changes the environment while others read it.
@unsafe @preconcurrency import Glibc
#elseif canImport(Darwin)
@unsafe @preconcurrency import Darwin
#endif

/// The environment of a command: that of the tool, with a token, and without the tool's own secrets.
enum CommandEnvironment {
    /// The variables that are not handed on.
    private static let secrets = ["SALLYPORT_PASSPHRASE", "SALLYPORT_API_KEY"]

    /// Returns whether a text can name a variable in every shell.
    ///
    /// [POSIX, Base Definitions, 3.216](https://pubs.opengroup.org/onlinepubs/9699919799/basedefs/V1_chap03.html#tag_03_235).
    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !isDigit(first), text.utf8.count <= 255 else { return false }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
            default: isDigit(byte)
            }
        }
    }

    /// Calls a closure with the environment as the system takes it.
    ///
    /// The bytes of the other variables stay as they are, also if they are not UTF-8.
    ///
    /// - Parameters:
    ///   - name: The name of the variable for the token.
    ///   - token: The token. Secret.
    ///   - body: The closure. The pointers are valid until it returns.
    /// - Returns: The result of the closure.
    static func with<Value>(
        _ name: String,
        _ token: String,
        _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
    ) -> Value {
        var pairs: [UnsafeMutablePointer<CChar>?] = unsafe []
        let left = secrets + [name]
        var next = unsafe environ
        while let pair = unsafe next.pointee {
            if !left.contains(where: { unsafe isOf($0, pair) }) { unsafe pairs.append(pair) }
            unsafe next += 1
        }
        let added = unsafe strdup("\(name)=\(token)")
        defer { unsafe free(added) }
        return unsafe body(pairs + [added, nil])
    }

    /// Overwrites the secrets in this process's own environment, which its command could read in `/proc`.
    ///
    /// A parent can pass one name several times; `getenv` finds only the first.
    static func eraseSecrets() {
        var next = unsafe environ
        while let pair = unsafe next.pointee {
            if let name = secrets.first(where: { unsafe isOf($0, pair) }) {
                let value = unsafe pair + name.utf8.count + 1
                unsafe memset(value, 0, strlen(value))
            }
            unsafe next += 1
        }
    }

    /// Returns whether a pair is of the variable with a name.
    private static func isOf(_ name: String, _ pair: UnsafeMutablePointer<CChar>) -> Bool {
        let prefix = name + "="
        return unsafe strncmp(pair, prefix, prefix.utf8.count) == 0
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
