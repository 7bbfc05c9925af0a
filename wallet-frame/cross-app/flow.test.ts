/** From the address of the page to its end: logins, whose state counts, and what is said where something fails. */
import { describe, expect, test } from 'vitest'
import { settled } from '../testing/clock.ts'
import { refusal, testMemory, testScreen, userWith } from '../testing/cross-app.ts'
import { createFlow, type FlowPorts } from './flow.ts'
import { parseRequest, type Request } from './session/memory.ts'

const interaction = 'i'.repeat(21)
const handle = 'h'.repeat(43)
const state = 's'.repeat(43)
const authorizing: Request = { kind: 'authorize', interaction }
const transacting: Request = { kind: 'transact', handle }
const handover = { code: 'c'.repeat(43), state, user: 'user_1' }
const user = userWith()

async function open(change: Partial<FlowPorts> & { user?: typeof user | undefined } = {}) {
  const screen = testScreen()
  const memory = change.memory ? { ...testMemory(), ...change.memory } : testMemory()
  const seen: unknown[] = []
  const flow = createFlow({
    request: authorizing,
    handover: undefined,
    memory,
    session: {
      open: async (given) => {
        seen.push(['open', given])
        return 'user' in change ? change.user : user
      },
      drop: async () => void seen.push('drop'),
    },
    authorize: async (...[name, of]) => {
      seen.push(['authorize', name, of.id])
      return 'finished'
    },
    transact: {
      run: async (name, of) => void seen.push(['transact', name, of.id]),
      close: () => void seen.push('close'),
    },
    show: screen.show,
    newState: () => state,
    goToLogin: (to) => void seen.push(['login', to]),
    ...change,
  })
  void flow.start()
  await settled()
  return { ...screen, flow, memory, seen }
}

describe('an address', () => {
  test.each([
    [`authorize.${interaction}`, authorizing],
    [`transact.${handle}`, transacting],
    [handle, transacting],
  ])('%s names a request', (fragment, request) => {
    expect(parseRequest(fragment)).toEqual(request)
  })

  test.each(['', 'short', 'h'.repeat(44), `other.${handle}`, 'authorize.', `transact.${'.'.repeat(43)}`])(
    '%j names none',
    (fragment) => {
      expect(parseRequest(fragment)).toBeUndefined()
    },
  )

  test('that names none says so, and asks nobody', async () => {
    const page = await open({ request: undefined })
    expect(page.last()).toEqual({ status: 'problem', problem: 'nothing' })
    expect(page.seen).toEqual([])
  })

  test('is remembered by its tab, for the way back and a reload', async () => {
    const first = await open()
    expect(first.memory.tab().request).toEqual(authorizing)
    const later = await open({ request: undefined, memory: first.memory })
    expect(later.seen).toEqual([
      ['open', undefined],
      ['authorize', interaction, 'user_1'],
    ])
  })
})

test('a request to sign is answered by who is in', async () => {
  const page = await open({ request: transacting })
  expect(page.seen).toEqual([
    ['open', undefined],
    ['transact', handle, 'user_1'],
  ])
  page.flow.close()
  expect(page.seen.at(-1)).toBe('close')
})

describe('where nobody is in', () => {
  test('the page leads to the login, with a state that this tab keeps', async () => {
    const page = await open({ user: undefined })
    expect(page.statuses()).toEqual(['opening', 'to-login'])
    expect(page.seen).toEqual([
      ['open', undefined],
      ['login', state],
    ])
    expect(page.memory.tab()).toEqual({ request: authorizing, state })
  })

  test('a login that comes back with that state is taken, once', async () => {
    const { memory } = await open({ user: undefined })
    const back = await open({ request: undefined, handover, memory })
    expect(back.seen).toEqual([
      ['open', handover],
      ['authorize', interaction, 'user_1'],
    ])
    const again = await open({ request: undefined, handover, memory })
    expect(again.last()).toMatchObject({ status: 'problem', problem: 'other-login' })
    expect(again.seen).toEqual([])
  })

  test.each([
    ['another state', { ...handover, state: 'x'.repeat(43) }],
    ['a state of which one letter differs', { ...handover, state: `${'s'.repeat(42)}x` }],
  ])('a login with %s is refused, and the good one is still taken', async (_name, other) => {
    const { memory } = await open({ user: undefined })
    const page = await open({ request: undefined, handover: other, memory })
    expect(page.at('problem').problem).toBe('other-login')
    expect(page.seen).toEqual([])
    const good = await open({ request: undefined, handover, memory })
    expect(good.seen[0]).toEqual(['open', handover])
  })

  test('a login that nobody began here is refused, and its user may go on without it', async () => {
    const page = await open({ handover })
    expect(page.seen).toEqual([])
    page.at('problem').retry?.()
    await settled()
    expect(page.seen[0]).toEqual(['open', undefined])
  })
})

describe('what fails', () => {
  const failing = (code: Parameters<typeof refusal>[0]) => ({
    authorize: async () => {
      throw refusal(code)
    },
  })

  test.each([
    ['not_found', 'unknown'],
    ['token_already_used', 'decided'],
    ['too_many_requests', 'too-many'],
    ['mfa_verification_max_attempts_reached', 'max-attempts'],
    ['unknown_embedded_wallet_error', 'unrecovered'],
    ['missing_or_invalid_mfa', 'factor-elsewhere'],
    ['session_storage_unavailable', 'no-storage'],
    ['invalid_answer', 'failed'],
    ['share_mismatch', 'failed'],
  ] as const)('by %s is said as %s', async (code, problem) => {
    expect((await open(failing(code))).at('problem').problem).toBe(problem)
  })

  test.each(['server_unreachable', 'client_request_timeout', 'unavailable'] as const)(
    'by %s can be tried again',
    async (code) => {
      const codes = [code, undefined]
      const page = await open({
        authorize: async () => {
          const next = codes.shift()
          if (next) throw refusal(next)
          return 'finished'
        },
      })
      page.at('unreachable').retry()
      await settled()
      expect(page.last()).toEqual({ status: 'opening' })
      expect(codes).toEqual([])
    },
  )

  test.each(['missing_or_invalid_token', 'must_be_authenticated', 'device_not_bound'] as const)(
    'by %s leads to the login again',
    async (code) => {
      const page = await open(failing(code))
      expect(page.seen).toEqual([['open', undefined], 'drop', ['login', state]])
    },
  )

  test('a browser that keeps nothing says so, and leads nobody to a login that could not come back', async () => {
    const page = await open({
      memory: {
        tab: () => ({}),
        rememberInTab: () => {
          throw refusal('session_storage_unavailable')
        },
      },
    })
    expect(page.at('problem').problem).toBe('no-storage')
    expect(page.seen).toEqual([])
  })

  test('another account can be used for a request that is not of this one', async () => {
    const page = await open(failing('not_found'))
    page.at('problem').changeAccount?.()
    await settled()
    expect(page.seen).toEqual([['open', undefined], 'drop', ['login', state]])
  })
})

test('who wants another account logs in again, and the request is the same', async () => {
  const page = await open({ authorize: async () => 'change-account' })
  expect(page.seen).toEqual([['open', undefined], 'drop', ['login', state]])
  expect(page.memory.tab()).toEqual({ request: authorizing, state })
})
