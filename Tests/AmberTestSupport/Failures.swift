// Room:   AmberTestSupport. The failure that something ends with.
// Takes:  code that should fail. Gives: its failure, or nil if it didn't fail or failed with something else.
// Touches: nothing.

package import AmberModel

/// The failure that `body` throws.
package func encodingFailure<R>(_ body: () throws -> R) -> EncodingFailure? {
    do { _ = try body() } catch { return error as? EncodingFailure }
    return nil
}

/// The failure that `body` throws.
package func decodingFailure<R>(_ body: () throws -> R) -> DecodingFailure? {
    do { _ = try body() } catch { return error as? DecodingFailure }
    return nil
}
