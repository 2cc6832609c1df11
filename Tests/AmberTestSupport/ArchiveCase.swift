// Room:   AmberTestSupport. A value with a name, how it is archived, and whether an archive holds it.
// Takes:  a value and options. Gives: its archive; what is different in another one.
// Touches: the binary coder.

package import AmberBinary
package import Foundation

/// A named value that tests write and read.
package struct ArchiveCase {
    package let name: String
    package let isCompressed: Bool
    /// The archive of the value.
    package let encode: () throws -> Data
    /// What is different in the value of an archive; `nil` if nothing is.
    package let difference: (Data) throws -> String?

    /// - Parameters:
    ///   - name: The name.
    ///   - options: How the value is archived.
    ///   - value: The value, made anew each time.
    package init<Root>(
        _ name: String, _ options: BinaryEncodingOptions = .init(isDeterministic: true), _ value: @escaping () -> Root
    ) {
        self.name = name
        isCompressed = options.compression != .none
        encode = { try BinaryEncoder(options: options).encode(value()) }
        difference = { data in
            AmberTestSupport.difference(value(), try BinaryDecoder().decode(Root.self, from: data))
        }
    }
}
