// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import ReferenceBackend

/// The IP address of a proxy.
struct ProxyArgument: ExpressibleByArgument {
    let address: IPAddress

    init?(argument: String) {
        guard let address = IPAddress(argument) else { return nil }
        self.address = address
    }
}
