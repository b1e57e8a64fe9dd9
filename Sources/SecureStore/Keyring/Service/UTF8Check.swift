#if Keyring && canImport(CSecretService)
/// Whether bytes are text, found out without a copy of them: they are secret.
enum UTF8Check {
    static func isText(_ bytes: [UInt8]) -> Bool {
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
