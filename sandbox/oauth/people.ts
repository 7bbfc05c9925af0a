/** Persons that can log in. Each name on the consent page is one person. */
import { createHash } from 'node:crypto'

export type Person = {
  name: string
  username: string
  email: string | null
}

export const createPerson = (typed: string, hasEmail: boolean): Person => {
  const username = typed.toLowerCase().replaceAll(/[^a-z0-9]+/g, '.') || 'nobody'
  return { name: typed, username, email: hasEmail ? `${username}@example.com` : null }
}

/** Returns the id of a person at a provider. It differs between providers and has the length of real ids. */
export const getSubject = (provider: string, { username }: Person): string =>
  BigInt(`0x1${createHash('sha256').update(`${provider}/${username}`).digest('hex').slice(0, 15)}`).toString()
