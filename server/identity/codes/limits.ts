export const codeLimits = {
  /** Guesses per network without an outstanding code. They can not succeed and are not charged to the identifier. */
  strayGuessesPerWindow: 50,
  /**
   * Wrong guesses per network at codes that were sent to it. Because windows restart, any 24 hours allow at most twice
   * the daily limit: 800 guesses at a million codes. `docs/security/guarantees.md` calculates the risk.
   */
  wrongGuessesPerWindow: 100,
  wrongGuessesPerDay: 400,
  /** The same per session, or per browser without a session. */
  sessionGuessesPerWindow: 10,
  sessionGuessesPerDay: 30,
  /** Sends per session or browser: the full quota of four recipients. */
  sessionSendsPerWindow: 20,
  sessionSendsPerDay: 60,
  /** Mails per network: as many as the logins of one address within ten minutes. */
  sendsPerWindow: 300,
  sendsPerDay: 3_000,
  /** Paid messages per network: enough for a hundred people in one office to log in at once. */
  paidSendsPerWindow: 100,
  paidSendsPerDay: 500,
  /** How long a browser stays known after its last login. */
  knownBrowserSeconds: 180 * 86_400,
} as const
