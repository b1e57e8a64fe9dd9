// SPDX-License-Identifier: Apache-2.0

import UmuveBrands

extension Layout {
    var splash: LayoutPage {
        LayoutPage(body: wordmark + [.blank, waiting("Opening \(model.brand.name)")])
    }
}
