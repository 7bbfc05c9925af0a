/** The logged-in user and all earlier users. A returning user has the same accounts. */
import { LatchkeyError, type LinkedAccount, type User, type WalletAccount } from '@latchkey/loader'
import { type Fake, findEmbeddedWallet, toUser, type UserRecord } from '@latchkey/loader/fake'
import {
  embeddedAccount,
  ethereumAddress,
  ethereumKey,
  type Hex,
  solanaAddress,
  solanaKey,
  timesAt,
} from './accounts.ts'
import { idFrom } from './keys.ts'
import type { createTokens } from './tokens.ts'
import type { MockUser, MockWallet } from './types.ts'

type Ports = {
  appId: string
  wallets: readonly MockWallet[]
  privateKey: Hex | undefined
  nowSeconds: () => number
  tokens: ReturnType<typeof createTokens>
  tell: Fake['emit']
}

const anybody: MockUser = { email: 'visitor@example.com' }

export function createSession(visitor: MockUser | undefined, ports: Ports) {
  const { appId, wallets, privateKey, nowSeconds, tokens, tell } = ports
  const people = new Map<string, UserRecord>()
  const imported = new Map<string, Hex>()
  const person = visitor ?? anybody
  let current: string | undefined

  const record = () => (current === undefined ? undefined : people.get(current))
  const user = (): User | null => {
    const known = record()
    // A copy, because the page may modify it.
    return known ? JSON.parse(JSON.stringify(toUser(known))) : null
  }

  function create(given: MockUser): UserRecord {
    const seconds = nowSeconds()
    const times = timesAt(seconds)
    const { email, phone, linkedAccounts = [], mfaMethods = [], hasAcceptedTerms = true } = given
    const own: readonly LinkedAccount[] = [
      ...(email === undefined ? [] : [{ type: 'email', address: email, ...times } as const]),
      ...(phone === undefined ? [] : [{ type: 'phone', phoneNumber: phone, ...times } as const]),
      ...linkedAccounts,
    ]
    if (own.length === 0) return create({ ...anybody, ...given })
    return {
      id: getUserId(given),
      createdAt: seconds,
      linkedAccounts: [...own],
      mfaMethods: mfaMethods.map((type) => ({ type, verifiedAt: seconds })),
      hasAcceptedTerms,
    }
  }
  const getUserId = ({ id, email, phone, linkedAccounts = [] }: MockUser) =>
    id ?? idFrom(`${appId} ${email ?? phone ?? JSON.stringify(linkedAccounts[0] ?? anybody.email)}`)

  const getKey = (userId: string): Hex =>
    imported.get(userId) ??
    (privateKey !== undefined && userId === getUserId(person)
      ? privateKey
      : ethereumKey(`${appId} ${userId}`))
  const getSolanaKey = (userId: string) => solanaKey(`${appId} ${userId}`)

  function withWallet(known: UserRecord, chain: MockWallet): UserRecord {
    if (findEmbeddedWallet(known, chain)) return known
    const address =
      chain === 'ethereum' ? ethereumAddress(getKey(known.id)) : solanaAddress(getSolanaKey(known.id))
    const account = {
      ...embeddedAccount(chain, address, nowSeconds()),
      ...(imported.has(known.id) && chain === 'ethereum' && { imported: true }),
    }
    return { ...known, linkedAccounts: [...known.linkedAccounts, account] }
  }

  /** Stores a change and emits `user`, as the dialog does. */
  function change(next: UserRecord): User {
    people.set(next.id, next)
    const now = user()
    if (!now) throw mustBeAuthenticated()
    tell('user', { user: now })
    return now
  }

  function logOut() {
    if (current === undefined) return
    current = undefined
    tokens.forget()
    tell('logout', {})
    tell('user', { user: null })
    tell('token', { type: 'removed' })
  }

  /** Logs a user in without events, as for a user who was already logged in. */
  function enter(given: MockUser): { isNewUser: boolean } {
    const id = getUserId(given)
    const isNewUser = !people.has(id)
    const known = people.get(id) ?? create(given)
    people.set(id, wallets.reduce(withWallet, known))
    current = id
    return { isNewUser }
  }

  return {
    user,
    visitor: person,
    enter,
    logOut,
    logIn(given: MockUser): { user: User; isNewUser: boolean } {
      if (current !== undefined && current !== getUserId(given)) logOut()
      const isSame = current !== undefined
      const { isNewUser } = enter(given)
      const now = require()
      if (!isSame) {
        tell('login', { user: now })
        tell('token', { type: 'granted', token: tokens.getToken(now.id) })
      }
      return { user: now, isNewUser }
    },
    token: () => (current === undefined ? null : tokens.getToken(current)),
    require,
    change: (over: Partial<Omit<UserRecord, 'id'>>) => change({ ...requireRecord(), ...over }),
    wallet: (chain: MockWallet): WalletAccount | undefined => {
      const known = record()
      return known && findEmbeddedWallet(known, chain)
    },
    /** Creates a wallet, from the given key if any. */
    addWallet(chain: MockWallet, key?: Hex): WalletAccount {
      const known = requireRecord()
      if (findEmbeddedWallet(known, chain))
        throw new LatchkeyError('embedded_wallet_already_exists', 'The user has a wallet already')
      if (key !== undefined) imported.set(known.id, key)
      const next = withWallet(known, chain)
      change(next)
      const made = findEmbeddedWallet(next, chain)
      if (!made) throw noWallet()
      return made
    },
    ethereumKey: () => getKey(requireRecord().id),
    solanaKey: () => getSolanaKey(requireRecord().id),
  }

  function requireRecord(): UserRecord {
    const known = record()
    if (!known) throw mustBeAuthenticated()
    return known
  }
  function require(): User {
    const known = user()
    if (!known) throw mustBeAuthenticated()
    return known
  }
}
export type Session = ReturnType<typeof createSession>

const mustBeAuthenticated = () =>
  new LatchkeyError('must_be_authenticated', 'User must be authenticated before this call.')
export const noWallet = () => new LatchkeyError('embedded_wallet_not_found', 'The user has no wallet')
