type Words = Readonly<Record<string, string>>

/**
 * Words that came with a state, in the user's language: our own, found by their English, are translated; those of
 * the host or the app stay as they are. For those of the server, which speaks English, `others` has a way to say it.
 */
export function translateOwn(
  given: string,
  english: Words,
  translated: Words,
  others: (given: string) => string = (words) => words,
): string {
  const key = Object.keys(english).find((name) => english[name] === given)
  return (key === undefined ? undefined : translated[key]) ?? others(given)
}
