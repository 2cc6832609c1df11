// Room:   Amber. Everything under one name.
// Takes:  nothing. Gives: the public faces of all modules.
// Touches: nothing.

@_exported public import AmberBinary
@_exported public import AmberKeyed
@_exported public import AmberModel
@_exported public import AmberReadable
