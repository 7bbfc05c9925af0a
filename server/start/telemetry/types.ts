/** Open telemetry, closed at shutdown. */
export type Telemetry = { close: () => Promise<void> }

/** Resource attributes by the conventions: `service.name` and so on. */
export type ResourceNames = Readonly<Record<string, string>>
