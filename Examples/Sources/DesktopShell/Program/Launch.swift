// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Observation
import OpenIDConnect
import UmuveBrands

/// An app that starts: its model, once it is there.
///
/// A provider's description comes from the store or the network; the app's own backend needs none.
@Observable
final class Launch {
    private(set) var model: AppModel?
    /// The reason why there is no model, for the user.
    private(set) var failure: String?

    @ObservationIgnored let brand: Brand
    @ObservationIgnored private let options: DesktopOptions
    /// The last addresses that the app was opened with before the model was there, which are untrusted.
    @ObservationIgnored private(set) var waiting: [URL] = []

    /// Creates the model if it needs no provider's description.
    ///
    /// - Throws: `ValidationError` if an option is invalid; `SecureStoreError` if the record of the session's location
    ///   can't be read.
    init(_ brand: Brand, _ options: DesktopOptions) throws {
        var options = options
        options.recall(brand)
        (self.brand, self.options) = (brand, options)
        if options.issuer == nil { model = try AppModel(brand, options) }
    }

    /// Creates the model if that is still to be done, and runs it until the process ends.
    func run() async {
        failure = nil
        do {
            let model =
                if let model { model } else { try AppModel(brand, options, at: await options.provider(of: brand)) }
            self.model = model
            Task { [waiting] in for address in waiting { await model.open(address) } }
            waiting = []
            await model.run(checkingEvery: .seconds(options.checkEvery))
        } catch {
            failure = (error as? OpenIDError)?.isRetryable == true ? "Something went wrong. Try again." : "\(error)"
        }
    }

    /// Passes an address to the model, now or once it is there, if it can be the response to a sign-in.
    ///
    /// Any program can open any address of the app's.
    func open(_ address: String) {
        guard address.utf8.count <= 16_384, address.hasPrefix(brand.redirectURI), let url = URL(string: address) else {
            return
        }
        if let model { Task { await model.open(url) } } else { waiting = waiting.suffix(7) + [url] }
    }
}
