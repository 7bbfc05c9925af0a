/** What keeps a text from being an e-mail address, for whoever sends it off as it is. */
export type MissingPart = 'everything' | 'at' | 'name' | 'domain' | 'form'

export function missingPart(text: string): MissingPart {
  const given = text.trim()
  const at = given.indexOf('@')
  if (given === '') return 'everything'
  if (at === -1) return 'at'
  if (at === 0) return 'name'
  return /[^.@]\.[^.]+$/.test(given.slice(at)) ? 'form' : 'domain'
}
