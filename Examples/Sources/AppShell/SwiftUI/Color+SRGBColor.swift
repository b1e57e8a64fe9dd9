// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
public import SwiftUI

extension Color {
    /// Creates SwiftUI's color of an app's design.
    public init(_ color: SRGBColor) {
        self.init(
            .sRGB,
            red: Double(color.red) / 255,
            green: Double(color.green) / 255,
            blue: Double(color.blue) / 255,
            opacity: 1
        )
    }
}

extension LinearGradient {
    /// Creates SwiftUI's gradient of an app's design.
    public init(_ gradient: ColorGradient) {
        self.init(
            colors: [Color(gradient.start), Color(gradient.end)],
            startPoint: .topLeading,
            endPoint: .bottomTrailing
        )
    }
}
#endif
