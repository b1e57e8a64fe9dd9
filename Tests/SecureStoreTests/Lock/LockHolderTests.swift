// SPDX-License-Identifier: Apache-2.0

import SecureStore
import Testing

@Suite struct LockHolderTests {
    @Test func `the description of a lock holder contains only printable characters`() {
        #expect(LockHolder(process: 1, command: "\u{1B}[31mréd\n").description == "process 1 ([31mrd)")
        #expect(LockHolder(process: 1, command: "\n").description == "process 1 (unnamed)")
    }
}
