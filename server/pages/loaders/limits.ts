export const loaderLimits = {
  /** Two files make one loader, so the database keeps at least 50. A file takes about 22 kB there. */
  storedFiles: 100,
  /** Stored files that one process keeps in memory, compressed and not. */
  cachedFiles: 20,
  /** Loader files are a tenth of this. A longer row was not written by a server. */
  maxFileBytes: 1_000_000,
  /** A build that replaces files under a running server is stored within this time. */
  storeIntervalMs: 60_000,
} as const
