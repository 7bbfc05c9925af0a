export const codeLimits = {
  /** Guesses of a network at codes that nobody sent it: they cost the address nothing, and can not win. */
  strayGuessesPerWindow: 50,
  /**
   * Wrong guesses of a network at codes that it had sent. In any 24 hours they are at most twice the day's, for a count
   * starts anew: 800 in a million codes. `docs/security.md` computes what that wins.
   */
  wrongGuessesPerWindow: 100,
  wrongGuessesPerDay: 400,
  /** The same of one session, or of a browser without one, whatever it links or logs in with. */
  sessionGuessesPerWindow: 10,
  sessionGuessesPerDay: 30,
  /** Codes sent for one session or browser: four addresses with all that each may be sent. */
  sessionSendsPerWindow: 20,
  sessionSendsPerDay: 60,
  /** Codes by mail of one network: as many as logins that an address may complete in ten minutes. */
  sendsPerWindow: 300,
  sendsPerDay: 3_000,
  /** Codes that somebody is paid for, of one network: a hundred people of an office log in at once. */
  paidSendsPerWindow: 100,
  paidSendsPerDay: 500,
  /** A browser that was logged in is known for so long after its last login. */
  knownBrowserSeconds: 180 * 86_400,
} as const
