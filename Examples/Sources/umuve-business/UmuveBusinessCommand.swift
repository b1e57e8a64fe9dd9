// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DesktopShell
internal import UmuveBrands

/// The business customers' app.
@main
struct UmuveBusinessCommand: DesktopCommand {
    static let configuration = DesktopProgram.configuration("umuve-business", of: .business)

    @OptionGroup var options: DesktopOptions

    @MainActor
    static func main() { DesktopProgram.main("umuve-business", .business, Self.self) }
}
