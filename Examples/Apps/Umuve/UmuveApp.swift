// SPDX-License-Identifier: Apache-2.0

import SwiftUI
import UmuveBrands

/// The customer's app.
@main
struct UmuveApp: App {
    @PushDelegateAdaptor private var delegate: PushDelegate
    @State private var model = Result { try AppModel(.customer, backend: "https://api.goumuve.com", push: .system) }

    var body: some Scene {
        WindowGroup {
            switch model {
            case .success(let model): RootView(model: model).onAppear { delegate.registration = model.registration }
            case .failure(let error): Text("\(error)")
            }
        }
    }
}
