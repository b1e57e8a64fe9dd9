// SPDX-License-Identifier: Apache-2.0

enum StoreName {
    static func checked(_ name: String) throws(SecureStoreError) -> String {
        let isAllowed = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default:
                false
            }
        }
        guard isAllowed, (1...128).contains(name.utf8.count) else { throw SecureStoreError(.invalidName) }
        return name
    }
}
