func codableBridge(_ type: Any.Type) -> (surrogate: Any.Type, access: BridgeAccess)? { nil }
