// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DesktopShell
internal import UmuveBrands

/// The driver's app.
@main
struct UmuveProCommand: DesktopCommand {
    static let configuration = DesktopProgram.configuration("umuve-pro", of: .driver)

    @OptionGroup var options: DesktopOptions

    @MainActor
    static func main() { DesktopProgram.main("umuve-pro", .driver, Self.self) }
}
