const DAY_SECONDS = 86_400

/** Limits of the server. A separate module, so that pages do not load it. */
export const serverLimits = {
  maxBodyBytes: 256 * 1024,
  requestReplaySeconds: 120,
  /** How long a repeated call waits for the first one. Shorter than the browser's timeout. */
  replayWaitMs: 15_000,
  maxAllowedOrigins: 100,
  accessTokenSeconds: 15 * 60,
  refreshTokenSeconds: 30 * DAY_SECONDS,
  refreshCookieMarkerSeconds: 30 * DAY_SECONDS,
  /** How long a refresh token still returns its successor after the successor was first used. */
  successorGraceSeconds: 10,
  oneUseCodeSeconds: 60,
  proofMaxAgeSeconds: 60,
  clockSkewSeconds: 30,
} as const
