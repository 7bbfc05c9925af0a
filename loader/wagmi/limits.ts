/** `reconnect()` of wagmi asks its connectors one after the other: each waits for the dialog no longer than this. */
export const connectorLimits = { reconnectMs: 1_000 } as const
