// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Testing

@Suite struct HexadecimalTests {
    @Test(
        arguments: [([], ""), ([0], "00"), ([0x0F, 0xF0], "0ff0"), ([0xDE, 0xAD, 0xBE, 0xEF], "deadbeef")]
            as [([UInt8], String)]
    )
    func `each byte becomes two lower-case digits`(bytes: [UInt8], text: String) {
        #expect(Hexadecimal.encode(bytes) == text)
    }
}
