// SPDX-License-Identifier: Apache-2.0

/// A screen that shows the shell and reads the user's input.
@MainActor
protocol ShellScreen: AnyObject {
    /// Whether the screen shows animations.
    var isAnimated: Bool { get }
    /// The characters for drawing.
    var glyphs: Glyphs { get }

    /// Starts to read the user's input.
    ///
    /// - Parameter send: The closure to call on the main actor with each event.
    func start(_ send: @escaping @MainActor (ShellEvent) -> Void)

    /// Shows a model.
    ///
    /// - Returns: The drawing, or nil if the screen has no mouse.
    func show(_ model: ShellModel) -> Drawing?

    /// Draws the whole screen again with the next model.
    func redraw()

    /// Releases the terminal.
    func end()
}
