/** The people who can log in. Every name typed on the consent page is a person, and always the same one. */
import { createHash } from 'node:crypto'

export type Person = {
  name: string
  username: string
  email: string | null
}

export const person = (typed: string, hasEmail: boolean): Person => {
  const username = typed.toLowerCase().replaceAll(/[^a-z0-9]+/g, '.') || 'nobody'
  return { name: typed, username, email: hasEmail ? `${username}@example.com` : null }
}

/** The id of a person at a provider: as long as the provider's own, and different at each of them. */
export const subjectOf = (provider: string, { username }: Person): string =>
  BigInt(`0x1${createHash('sha256').update(`${provider}/${username}`).digest('hex').slice(0, 15)}`).toString()
