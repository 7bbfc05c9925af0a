type Words = Readonly<Record<string, string>>

/**
 * Words that came with a state, in the user's language: our own, found by their English, are translated; those of
 * the host, the app or the server stay as they are.
 */
export function translateOwn(given: string, english: Words, translated: Words): string {
  const key = Object.keys(english).find((name) => english[name] === given)
  return (key === undefined ? undefined : translated[key]) ?? given
}
