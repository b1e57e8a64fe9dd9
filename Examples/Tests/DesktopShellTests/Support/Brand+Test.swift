// SPDX-License-Identifier: Apache-2.0

import AppShell
public import Testing
public import UmuveBrands

extension Brand {
    /// Both apps of the family.
    static let all = [Brand.customer, .driver]

    /// The titles of the onboarding's pages, first to last.
    var titles: [String] { pages.map(\.title) }
}

extension Brand: CustomTestStringConvertible {
    /// The app's name, without all of its pages.
    public var testDescription: String { name }
}
