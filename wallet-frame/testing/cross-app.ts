/** Ports of the cross-app page for its tests: browser storage, and states whose actions the test calls. */
import { LatchkeyError, type UserRecord } from '@latchkey/protocol'
import type { PageState, Show } from '../cross-app/screen/state.ts'
import { createMemory, type Store } from '../cross-app/session/memory.ts'
import type { CallApi } from '../shares/transport.ts'

export const appId = 'a'.repeat(25)
export const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const times = { verifiedAt: 1, firstVerifiedAt: 1, latestVerifiedAt: 1 }

/** A user with automatic recovery, unless the test changes it. */
export const userWith = (
  wallet: { recoveryMethod: 'latchkey' | 'user-passcode' | 'passkey' | 'google-drive' } | null = {
    recoveryMethod: 'latchkey',
  },
  change: Partial<UserRecord> = {},
): UserRecord => ({
  id: 'user_1',
  createdAt: 1,
  linkedAccounts: [
    { type: 'email', address: 'ada@example.org', ...times },
    ...(wallet
      ? [
          {
            type: 'wallet' as const,
            address: address.toLowerCase(),
            chainType: 'ethereum' as const,
            connectorType: 'embedded',
            ...wallet,
            ...times,
          },
        ]
      : []),
  ],
  mfaMethods: [],
  hasAcceptedTerms: false,
  ...change,
})

export function testStore(): Store & { entries: Map<string, string> } {
  const entries = new Map<string, string>()
  return {
    entries,
    getItem: (name) => entries.get(name) ?? null,
    setItem: (name, value) => void entries.set(name, value),
    removeItem: (name) => void entries.delete(name),
  }
}

export function testMemory(all = testStore(), tab = testStore()) {
  return { ...createMemory(appId, { tab: () => tab, all: () => all }), all, tabStore: tab }
}

type Status = PageState['status']
export function testScreen() {
  const states: PageState[] = []
  const show: Show = (state) => void states.push(state)
  return {
    show,
    states,
    statuses: () => states.map(({ status }) => status),
    last: () => states.at(-1),
    /** Returns the shown state, which must have this status. */
    at<S extends Status>(status: S): Extract<PageState, { status: S }> {
      const state = states.at(-1)
      if (state?.status === status) return state as Extract<PageState, { status: S }>
      throw new Error(`The page shows ${JSON.stringify(state)} and not ${status}`)
    },
  }
}

export const refusal = (code: LatchkeyError['code'], details?: unknown) =>
  new LatchkeyError(code, code, { details })

/** A server with a response for each path. An error is thrown. */
export function testApi<Caller>(answers: Readonly<Record<string, (body: never, caller: Caller) => unknown>>) {
  const calls: { path: string; body: unknown; caller: Caller }[] = []
  const api = (async (route: { path: string }, caller: Caller, body: never) => {
    calls.push({ path: route.path, body, caller })
    const answer = answers[route.path]
    if (!answer) throw new Error(`Nobody answers ${route.path}`)
    const said = await answer(body, caller)
    if (said instanceof Error) throw said
    return said
  }) as unknown as CallApi<Caller>
  return { api, calls, paths: () => calls.map(({ path }) => path) }
}
