/** Windows for which the dialog confirms that it opened them. */
import { startStatement, type WindowPurpose } from '@latchkey/protocol/api'
import { describe, expect, test } from 'vitest'
import { makeFakeClock, settle } from '../testing/clock.ts'
import { makeSettings } from '../testing/fixtures.ts'
import { beginAttempt, type Relay } from './attempt.ts'
import { makeFakeBrowser } from './testing.ts'

const question = 'LATCHKEY_WINDOW_START_QUESTION'
const answer = 'LATCHKEY_WINDOW_START_ANSWER'

type Setup = {
  purpose?: WindowPurpose
  opener?: 'same-origin'
  isBlocking?: boolean
}

function begin({ purpose = 'oauth', opener, isBlocking = false }: Setup = {}) {
  const browser = makeFakeBrowser()
  browser.block(isBlocking)
  const signed: string[] = []
  const own = {
    ...browser,
    startKey: async () => ({
      publicKey: 'k'.repeat(87),
      sign: async (text: string) => {
        signed.push(text)
        return 'a-signature'
      },
    }),
  }
  const calls: Parameters<Parameters<Relay['begin']>[0]>[0][] = []
  const known = Promise.withResolvers<void>()
  const stopping = new AbortController()
  const settings = {
    ...makeSettings({ crossOriginOpenerPolicy: opener ?? null }),
    hostOrigin: 'http://demo.localhost:4010',
  }
  const attempt = beginAttempt(
    {
      clock: makeFakeClock(),
      settings: () => settings,
      browser: own,
      purpose,
      signal: stopping.signal,
    },
    async ({ begin }) => {
      await begin(async (relay) => {
        calls.push(relay)
        await known.promise
      })
      return new Promise<never>(() => {})
    },
  )
  attempt.granted.catch(() => {})
  const [window] = browser.windows
  if (!window) throw new Error('No window')
  const handle = window.address.split('/').at(-1) ?? ''
  const asked = { type: question, purpose, handle, nonce: 'n'.repeat(43) }
  return {
    attempt,
    window,
    handle,
    asked,
    calls,
    signed,
    stopping,
    async ask(change: object = {}, origin?: string) {
      window.say({ ...asked, ...change }, origin)
      await settle()
    },
    async becomeKnown() {
      known.resolve()
      await settle()
    },
  }
}

describe('start page that asks for its opener', () => {
  test('receives a signature over its purpose, handle and nonce', async () => {
    const { window, handle, ask, signed, becomeKnown } = begin()
    await becomeKnown()
    await ask()
    expect(window.postedMessages).toEqual([{ type: answer, handle, signature: 'a-signature' }])
    const statement = `latchkey/window-start/1\noauth\n${handle}\n${'n'.repeat(43)}`
    expect(signed).toEqual([statement])
    expect(startStatement({ purpose: 'oauth', handle, nonce: 'n'.repeat(43) })).toBe(statement)
  })

  test('receives it only after the server knows the attempt', async () => {
    const { window, ask, becomeKnown } = begin()
    await ask()
    expect(window.postedMessages).toEqual([])
    await becomeKnown()
    expect(window.postedMessages).toHaveLength(1)
  })

  test.each([
    ['of another handle', { handle: 'h'.repeat(48) }],
    ['of another purpose', { purpose: 'telegram' }],
    ['of no purpose', { purpose: 'login' }],
    ['without a nonce', { nonce: undefined }],
    ['with an invalid nonce', { nonce: 'a\nb'.padEnd(43, 'n') }],
    ['of another kind', { type: answer }],
  ])('%s receives no response', async (_which, change) => {
    const { window, ask, becomeKnown, signed } = begin()
    await becomeKnown()
    await ask(change)
    expect([window.postedMessages, signed]).toEqual([[], []])
    await ask()
    expect(window.postedMessages).toHaveLength(1)
  })

  test('receives nothing on another origin', async () => {
    const { window, ask, becomeKnown } = begin()
    await becomeKnown()
    await ask({}, 'https://host.example')
    expect(window.postedMessages).toEqual([])
  })

  test('receives nothing after the attempt ended', async () => {
    const { window, ask, becomeKnown, stopping } = begin()
    await becomeKnown()
    stopping.abort()
    await ask()
    expect(window.postedMessages).toEqual([])
  })
})

describe('two digits', () => {
  test("are created and sent to the server if the app's pages use an opener policy", async () => {
    const { attempt, calls } = begin({ opener: 'same-origin', isBlocking: true })
    await settle()
    expect(attempt.digits).toBe('42')
    expect(calls).toMatchObject([{ digits: '42', origin: 'http://demo.localhost:4010' }])
  })

  test('are not created without an opener policy', async () => {
    const { attempt, calls } = begin()
    await settle()
    expect(attempt.digits).toBeUndefined()
    expect(calls[0]).not.toHaveProperty('digits')
  })
})
