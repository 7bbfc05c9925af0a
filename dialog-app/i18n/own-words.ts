/** The host's words stay as they are; our own default is said in the user's language. */
export const inOwnWords = (given: string, ourDefault: string, translated: string) =>
  given === ourDefault ? translated : given
