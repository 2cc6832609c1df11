// Room:   HouseTests. What doesn't keep a rule, and why. A list to be shortened; a test fails when an entry is no longer needed.
// Takes:  nothing. Gives: paths with reasons. Touches: nothing.

enum Exceptions {
    /// Files with unsafe code whose names don't say so.
    static let unfenced: [String: String] = [
        "Sources/AmberBinary/Decoding/DynamicValues.swift": "reads raw numbers through a marked call",
        "Sources/AmberBinary/Encoding/DynamicPools.swift": "keeps addresses of objects that the collector holds",
        "Sources/AmberBinary/Encoding/DynamicWriting.swift": "asks the collector for the number of an object's address",
        "Sources/AmberBinary/Columns/Passing.swift": "reads one raw byte count through a marked call",
        "Sources/AmberBinary/Encoding/GraphWriter.swift": "passes rows on to the fenced writers; they mark their entry",
        "Sources/AmberBinary/Encoding/ObjectCollector.swift": "passes rows on to the fenced walk; it marks its entry",
        "Sources/AmberBinary/Encoding/SortedElements.swift": "passes rows on to the fenced row writer",
    ]

    /// Unsafe files of more than 200 lines.
    static let longFences: [String: String] = [
        "Sources/AmberBinary/Decoding/UnsafeInstancePools.swift": "the three states of an instance stand together",
        "Sources/AmberBinary/Decoding/UnsafeRowReader.swift": "one case for each type, mirror of the row writer",
        "Sources/AmberBinary/Encoding/UnsafeColumnWriter.swift": "one case for each column type, mirror of the reader",
        "Sources/AmberBinary/Encoding/UnsafeRowWriter.swift": "one case for each type, mirror of the row reader",
        "Sources/AmberModel/Memory/UnsafeRows.swift": "the accessors of a row are inlined across modules as one type",
        "Sources/AmberReadable/Document/UnsafeDocument.swift": "the memory of a document and all access to it",
        "Sources/AmberReadable/Document/UnsafeJSONScanner.swift": "one state machine: every token beside the others",
        "Sources/AmberReadable/Reading/UnsafeValueReader+Collections.swift":
            "collections, cases and surrogates share their copies",
        "Sources/AmberReadable/Reading/UnsafeValueReader+Fields.swift": "fields found, read and undone stand together",
        "Sources/AmberReadable/Reading/UnsafeValueReader.swift": "one case for each shape, mirror of the writer",
        "Sources/AmberReadable/Text/UnsafeJSONSink.swift": "one event after the other, all on one buffer",
        "Sources/AmberReadable/Writing/UnsafeValueWriter+Collections.swift":
            "collections, cases and surrogates share their copies",
        "Sources/AmberReadable/Writing/UnsafeValueWriter+Dynamic.swift": "one case for each kind of dynamic value",
        "Sources/AmberReadable/Writing/UnsafeValueWriter+Objects.swift":
            "who was met, who is held, who waits: one decision",
        "Sources/AmberReadable/Writing/UnsafeValueWriter.swift": "one case for each shape, mirror of the reader",
    ]

    /// Traps in files that read archives, each on something that no archive can bring about.
    static let traps: [String: String] = [:]
}
