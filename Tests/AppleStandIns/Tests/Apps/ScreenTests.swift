// SPDX-License-Identifier: Apache-2.0

import AppShell
import AuthCore
import AuthSession
import AuthTesting
import AuthUI
import Foundation
import OpenIDConnect
import Security
import SwiftUI
import Testing
import UmuveBrands

@testable import SharedApp

extension KeychainTests {
    /// The views of the SwiftUI apps, as far as they are read without being drawn.
    @MainActor @Suite(.timeLimit(.minutes(5))) struct ScreenTests {
        private let keychain = StandInKeychain()

        init() {
            keychain.setGroups(["app"])
            keychain.use()
            EnvironmentValues.current = EnvironmentValues()
            for brand in [Brand.customer, .driver] {
                UserDefaults.standard.removeObject(forKey: "sallyport.\(brand.bundleIdentifier)")
            }
        }

        private func views<Kind>(_ kind: Kind.Type = Kind.self, in view: some View) -> [Kind] {
            view.all.compactMap { $0 as? Kind }
        }

        private func modifiers(of view: some View) -> [Modifier] {
            views(OpaqueView.self, in: view).compactMap(\.modifier)
        }

        private func press(_ title: String, in view: some View) throws {
            try #require(views(Button.self, in: view).first { $0.title == title }).action()
        }

        /// Returns the color of a style that is one, or that holds one.
        private func color(_ style: any ShapeStyle) -> [Double]? {
            ((style as? AnyShapeStyle)?.style as? Color ?? style as? Color)?.components
        }

        /// Returns an app's model after a restore.
        private func restored(_ brand: Brand = .customer, at provider: OpenIDProvider? = nil) async throws -> AppModel {
            let model = try AppModel(brand, backend: "https://127.0.0.1:1", provider: provider)
            await model.manager.restore()
            while model.screen == .splash { await Task.yield() }
            return model
        }

        @Test(arguments: [Brand.customer, .driver])
        func `the onboarding has three pages with symbol, title and text, to swipe, with visible dots`(
            brand: Brand
        ) async throws {
            let view = RootView(model: try await restored(brand))
            #expect(views(Image.self, in: view).map(\.name) == brand.pages.map(\.symbolName))
            let texts = views(Text.self, in: view).map(\.text)
            #expect(texts == brand.pages.flatMap { [$0.title, $0.text] })
            let modes = modifiers(of: view).compactMap { modifier -> Bool? in
                switch modifier {
                case .tabViewStyle(let style): (style as? PageTabViewStyle)?.indexDisplayMode == .always
                case .indexViewStyle(let style): (style as? PageIndexViewStyle)?.backgroundDisplayMode == .always
                default: nil
                }
            }
            #expect(modes == [true, true])
        }

        @Test func `a swipe and the buttons lead through the pages, and the last one finishes the onboarding`()
            async throws
        {
            let model = try await restored()
            let view = OnboardingView(pages: model.brand.pages) { model.completeOnboarding() }
            let tabs = try #require(views(TabView.self, in: view).first)
            let page = try #require(tabs.selection as? Binding<Int>)
            try press("Next", in: view)
            #expect(page.wrappedValue == 1)
            page.wrappedValue = 2
            try press("Get Started", in: view)
            #expect(model.screen == .signIn)
        }

        @Test(arguments: [false, true])
        func `the buttons change the page without animation if the user reduces motion`(isReduced: Bool) throws {
            EnvironmentValues.current.accessibilityReduceMotion = isReduced
            Animation.all = []
            let view = OnboardingView(pages: Brand.customer.pages) {}
            try press("Next", in: view)
            #expect(Animation.all.map { $0 == nil } == [isReduced])
        }

        @Test(arguments: [Brand.customer, .driver])
        func `the screens are white with the brand's text, and the system's in dark mode`(brand: Brand) async throws {
            let view = RootView(model: try await restored(brand))
            func colors() -> (backgrounds: [[Double]?], texts: [[Double]?]) {
                modifiers(of: view).reduce(into: ([], [])) { colors, modifier in
                    switch modifier {
                    case .background(let style): colors.0.append(color(style))
                    case .foreground(let style): colors.1.append(color(style))
                    default: break
                    }
                }
            }
            #expect(colors().backgrounds.first == [1, 1, 1])
            #expect(colors().texts.first == Color(brand.palette.text).components)
            EnvironmentValues.current.colorScheme = .dark
            #expect(colors().backgrounds.first == .some(nil))
            #expect(colors().texts.first == .some(nil))
        }

        @Test(arguments: [Brand.customer, .driver])
        func `the wordmark is in the brand's type, colour and spacing`(brand: Brand) throws {
            let view = WordmarkView(brand: brand)
            #expect(views(Text.self, in: view).map(\.text) == [brand.wordmark])
            #expect(views(Image.self, in: view).map(\.name) == [brand.symbolName].compactMap(\.self))
            #expect(views(HStack.self, in: view).map(\.spacing) == [12])
            let modifiers = modifiers(of: view)
            #expect(modifiers.count == 2)
            for modifier in modifiers {
                switch modifier {
                case .font(let font): #expect(font == .largeTitle.weight(.heavy))
                case .foreground(let style): #expect(color(style) == Color(brand.palette.accent).components)
                default: Issue.record("\(modifier)")
                }
            }
        }

        @Test(arguments: [false, true])
        func `an address that the app is opened with finishes the provider's sign-in that it began`(
            isRelaunched: Bool
        ) async throws {
            var configuration = InProcessProvider.Configuration()
            configuration.clients = [.public(id: "native", redirectURIs: [Brand.customer.redirectURI])]
            configuration.includesClaimsInIDToken = true
            let server = InProcessProvider(configuration: configuration)
            var settings = ProviderSettings()
            settings.transport = server
            let issuer = try Issuer(server.issuer)
            let provider = try await OpenIDProvider.discover(
                issuer: issuer,
                client: .public(id: "native"),
                settings: settings
            )
            var model = try await restored(at: provider)
            model.completeOnboarding()
            let (pages, show) = AsyncStream.makeStream(of: URL.self)
            EnvironmentValues.current.openURL = OpenURLAction { show.yield($0) }
            try press("Sign in", in: RootView(model: model))
            var opened = pages.makeAsyncIterator()
            let page = try #require(await opened.next()).absoluteString
            let response = try #require(server.authorize(page).redirectURL)
            if isRelaunched { model = try await restored(at: provider) }

            let openings = modifiers(of: RootView(model: model)).compactMap { modifier -> ((URL) -> Void)? in
                if case .openURL(let action) = modifier { action } else { nil }
            }
            let open = try #require(openings.first)
            open(try #require(URL(string: response)))
            while model.screen == .signIn, model.manager.errorMessage == nil { await Task.yield() }
            #expect(model.manager.errorMessage == nil)
            #expect(model.screen == .main(offlineSince: nil))
            #expect(model.manager.currentUser?.name == "Jane Doe")
        }
    }
}
