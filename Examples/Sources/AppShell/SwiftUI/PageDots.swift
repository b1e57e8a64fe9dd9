// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
import SwiftUI

/// A dot for each page, with the current one filled; a single element that names the page for a screen reader.
struct PageDots: View {
    let count: Int
    let index: Int
    let show: (Int) -> Void

    var body: some View {
        HStack(spacing: 8) {
            ForEach(0..<count, id: \.self) { dot in
                Button {
                    show(dot)
                } label: {
                    Circle()
                        .fill(dot == index ? AnyShapeStyle(.tint) : AnyShapeStyle(.tertiary))
                        .frame(width: 8, height: 8)
                        // Makes the tap target larger than the dot.
                        .padding(8)
                        .contentShape(Circle())
                }
                .buttonStyle(.plain)
            }
        }
        .accessibilityElement(children: .ignore)
        .accessibilityLabel("Page \(index + 1) of \(count)")
        .accessibilityAdjustableAction { direction in
            switch direction {
            case .increment: show(index + 1)
            case .decrement: show(index - 1)
            @unknown default: break
            }
        }
    }
}
#endif
