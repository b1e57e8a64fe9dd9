// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing
import UmuveBrands

@Suite("Without a display")
struct WithoutADisplayTests {
    private static let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"

    @Test(arguments: Brand.all) func `an app writes nothing, and one sentence says why`(brand: Brand) async throws {
        let home = try TemporaryFolder()
        defer { home.remove() }
        let environment = ["PATH": Self.path, "HOME": home.url.path(), "XDG_RUNTIME_DIR": home.url.path()]
        let app = try Executable.besideTests(brand.executable).path
        let output = try await Command(app, ["--store", "keyring"], environment: environment).run()
        #expect(output.exitCode == 1)
        #expect(output.text.isEmpty)
        #expect(output.errorText == "There is no display here. \(brand.name) needs DISPLAY or WAYLAND_DISPLAY.\n")
        #expect(try FileManager.default.subpathsOfDirectory(atPath: home.url.path()).isEmpty)
    }

    @Test func `the demo opens nothing, and one sentence says why`() async throws {
        let demo = URL(filePath: #filePath).appending(path: "../../../../demo").standardizedFileURL.path()
        let output = try await Command(demo, ["--windows"], environment: ["PATH": Self.path]).run()
        #expect(output.exitCode == 2)
        #expect(output.text.isEmpty)
        #expect(output.errorText == "There is no display here: the windows need DISPLAY or WAYLAND_DISPLAY.\n")
    }
}
