// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
import SwiftUI

/// One page of an onboarding: a symbol, in a circle over the page's gradient if it has one, a title and a line of text.
struct OnboardingPageView: View {
    let page: OnboardingPage

    var body: some View {
        VStack(spacing: 16) {
            symbol
                .accessibilityHidden(true)
            Text(page.title)
                .font(.title)
                .bold()
                .multilineTextAlignment(.center)
                .accessibilityAddTraits(.isHeader)
            Text(page.text)
                .font(.body)
                .foregroundStyle(.secondary)
                .multilineTextAlignment(.center)
        }
        .padding(.horizontal)
    }

    @ViewBuilder private var symbol: some View {
        let image = Image(systemName: page.symbolName).font(.system(size: 72))
        if let gradient = page.gradient {
            image
                .foregroundStyle(Color(gradient.start))
                .frame(width: 152, height: 152)
                .background(Color(SRGBColor.white), in: Circle())
                .frame(maxWidth: .infinity, minHeight: 216)
                .background(LinearGradient(gradient), in: RoundedRectangle(cornerRadius: 24))
        } else {
            image
                .foregroundStyle(.tint)
        }
    }
}
#endif
