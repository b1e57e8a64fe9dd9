// SPDX-License-Identifier: Apache-2.0

import Testing

/// The program that runs these suites; `swift test` would generate it, but there is no package here.
@main struct Main {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
