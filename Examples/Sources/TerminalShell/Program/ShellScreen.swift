/// What a person sees of the shell, and what they do there.
@MainActor
protocol ShellScreen: AnyObject {
    /// Whether motion can be seen.
    var isAnimated: Bool { get }
    /// What it can draw with.
    var glyphs: Glyphs { get }

    /// Begins to tell what the person does.
    ///
    /// - Parameter send: Called on the main actor for each event.
    func start(_ send: @escaping @MainActor (ShellEvent) -> Void)

    /// Shows a model.
    ///
    /// - Returns: Where things are; nil where nothing can be touched.
    func show(_ model: ShellModel) -> Drawing?

    /// Draws everything anew with the next model.
    func redraw()

    /// Gives the terminal back.
    func end()
}
