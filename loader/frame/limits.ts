import { dialogLimits } from '@latchkey/protocol'

/** Deadlines and intervals of the loader. Limits that only the second file uses are declared there. */
export const loaderLimits = {
  /** A new connection may take this long on a slow network. After that, the server is considered down. */
  statusProbeTimeoutMs: 20_000,
  /** Shorter, because the second file is on the origin that may be unreachable. */
  secondFileTimeoutMs: 5_000,
  /** A loaded dialog document sends its handshake immediately. A browser's error page never does. */
  silentAfterLoadMs: 1_000,
  /** When a diagnosis starts in parallel for a frame that has not loaded. */
  slowLoadMs: 5_000,
  /** When a frame that has not loaded is abandoned, even if its server responds. */
  loadDeadlineMs: 60_000,
  /** Browsers report a blocked request after it has failed. */
  violationReportMs: 50,
  /** How often to check that the page still contains the frame, while calls wait or it is shown. */
  frameCheckMs: 1_000,
  /** Timeout of the probe. */
  signOfLifeMs: 5_000,
  /** Throttle for viewport updates, which change with every animation frame while a keyboard opens. */
  viewportGapMs: 100,
  idleTimeoutMs: 3_000,
  /** How long an access token is reused. */
  tokenReuseMs: 1_000,
  /** Delay before the empty card appears. */
  emptyCardAfterMs: dialogLimits.progressAfterMs,
} as const
