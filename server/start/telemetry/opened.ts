/** What is open while the server runs, and gone when it ends. */
export type Telemetry = { close: () => Promise<void> }

/** Who counts, by the names of the conventions: `service.name` and so on. */
export type ResourceNames = Readonly<Record<string, string>>
