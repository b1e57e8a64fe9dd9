// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
/// A check for UTF-8 that makes no copy of the bytes, because they are secret.
enum UTF8Check {
    static func isText(_ bytes: some Sequence<UInt8>) -> Bool {
        var decoder = UTF8()
        var rest = bytes.makeIterator()
        while true {
            switch decoder.decode(&rest) {
            case .scalarValue: continue
            case .emptyInput: return true
            case .error: return false
            }
        }
    }
}
#endif
