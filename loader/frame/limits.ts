import { dialogLimits } from '@latchkey/protocol'

/** When the loader begins to doubt, and how often it looks. What the second file alone decides by stands there. */
export const loaderLimits = {
  /**
   * A connection of its own may take this long on a slow line; a server that has not answered by then does not
   * answer.
   */
  statusProbeTimeoutMs: 20_000,
  /** The second file lies on the origin that may be out of reach. */
  secondFileTimeoutMs: 5_000,
  /** A document that loaded says hello at once; an error page of the browser never does. */
  silentAfterLoadMs: 1_000,
  /** A frame that has not loaded by now may never: the question why runs beside it. */
  slowLoadMs: 5_000,
  /** A frame that has loaded nothing by now is given up, even where its server answers. */
  loadDeadlineMs: 60_000,
  /** A browser tells of a blocked request after it has failed. */
  violationReportMs: 50,
  /** While somebody waits for the frame: whether the page still has it. */
  frameCheckMs: 1_000,
  /** How long a frame that is in doubt has to show that it lives. */
  signOfLifeMs: 5_000,
  /** The viewport moves at every frame while an on-screen keyboard opens; calls are paced. */
  viewportGapMs: 100,
  idleTimeoutMs: 3_000,
  /** How long an answer of the dialog stands for who asks again. */
  tokenReuseMs: 1_000,
  /** Whoever waits longer for the dialog sees an empty card. */
  emptyCardAfterMs: dialogLimits.progressAfterMs,
} as const
