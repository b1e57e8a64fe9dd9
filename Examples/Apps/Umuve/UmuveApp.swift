import SwiftUI
import UmuveBrands

/// The customer's app.
@main
struct UmuveApp: App {
    @State private var model = Result { try AppModel(.customer, backend: "https://api.goumuve.com") }

    var body: some Scene {
        WindowGroup {
            switch model {
            case .success(let model): RootView(model: model)
            case .failure(let error): Text("\(error)")
            }
        }
    }
}
