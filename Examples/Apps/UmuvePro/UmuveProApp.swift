import SwiftUI
import UmuveBrands

/// The driver's app.
@main
struct UmuveProApp: App {
    @State private var model = Result { try AppModel(.driver, backend: "https://api.goumuve.com") }

    var body: some Scene {
        WindowGroup {
            switch model {
            case .success(let model): RootView(model: model)
            case .failure(let error): Text("\(error)")
            }
        }
    }
}
