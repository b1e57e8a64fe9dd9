#if canImport(SwiftUI)
import SwiftUI

/// A dot for each page, of which one is filled; to a screen reader one thing that says where the person is.
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
                        // Larger to a finger than to the eye.
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
