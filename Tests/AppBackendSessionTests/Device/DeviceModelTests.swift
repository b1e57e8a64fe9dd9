// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AppBackendSession

@Suite struct DeviceModelTests {
    @Test(
        arguments: [
            ("linux", "x86_64", "computer"), ("macos", "arm64", "Mac"), ("ios", "iPhone17,1", "iPhone"),
            ("ios", "iPad16,3", "iPad"), ("ios", "arm64", "iPhone or iPad"), ("watchos", "Watch7,5", "Apple Watch"),
            ("unknown", "", "computer"),
        ]
    )
    func `the model is a kind of device, never one device`(platform: String, machine: String, name: String) {
        #expect(DeviceModel.name(platform: platform, machine: machine) == name)
    }
}
