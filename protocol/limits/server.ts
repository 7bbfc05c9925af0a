const DAY_SECONDS = 86_400

/** What the server alone goes by, and promises: apart from what a browser goes by, so that no page loads it. */
export const serverLimits = {
  maxBodyBytes: 256 * 1024,
  requestReplaySeconds: 120,
  /** A call whose twin is under way waits for its outcome so long: shorter than a browser waits. */
  replayWaitMs: 15_000,
  maxAllowedOrigins: 100,
  accessTokenSeconds: 15 * 60,
  refreshTokenSeconds: 30 * DAY_SECONDS,
  refreshCookieMarkerSeconds: 30 * DAY_SECONDS,
  /** How long a parent still answers with its successor after that successor was first used. */
  successorGraceSeconds: 10,
  oneUseCodeSeconds: 60,
  proofMaxAgeSeconds: 60,
  clockSkewSeconds: 30,
} as const
