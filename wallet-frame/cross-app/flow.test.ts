/** The flow of the cross-app page: login states, requests and errors. */
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

describe('the URL of the page', () => {
  test.each([
    [`authorize.${interaction}`, authorizing],
    [`transact.${handle}`, transacting],
    [handle, transacting],
  ])('parses the request in %s', (fragment, request) => {
    expect(parseRequest(fragment)).toEqual(request)
  })

  test.each(['', 'short', 'h'.repeat(44), `other.${handle}`, 'authorize.', `transact.${'.'.repeat(43)}`])(
    'finds no request in %j',
    (fragment) => {
      expect(parseRequest(fragment)).toBeUndefined()
    },
  )

  test('without a request shows a problem, without a server call', async () => {
    const page = await open({ request: undefined })
    expect(page.last()).toEqual({ status: 'problem', problem: 'nothing' })
    expect(page.seen).toEqual([])
  })

  test('is remembered in its tab for the login and a reload', async () => {
    const first = await open()
    expect(first.memory.tab().request).toEqual(authorizing)
    const later = await open({ request: undefined, memory: first.memory })
    expect(later.seen).toEqual([
      ['open', undefined],
      ['authorize', interaction, 'user_1'],
    ])
  })
})

test('runs a signature request with the existing session', async () => {
  const page = await open({ request: transacting })
  expect(page.seen).toEqual([
    ['open', undefined],
    ['transact', handle, 'user_1'],
  ])
  page.flow.close()
  expect(page.seen.at(-1)).toBe('close')
})

describe('without a session', () => {
  test('starts the login with a state that this tab stores', async () => {
    const page = await open({ user: undefined })
    expect(page.statuses()).toEqual(['opening', 'to-login'])
    expect(page.seen).toEqual([
      ['open', undefined],
      ['login', state],
    ])
    expect(page.memory.tab()).toEqual({ request: authorizing, state })
  })

  test('accepts a login with that state, once', async () => {
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
  ])('refuses a login with %s, and still accepts the right one', async (_name, other) => {
    const { memory } = await open({ user: undefined })
    const page = await open({ request: undefined, handover: other, memory })
    expect(page.at('problem').problem).toBe('other-login')
    expect(page.seen).toEqual([])
    const good = await open({ request: undefined, handover, memory })
    expect(good.seen[0]).toEqual(['open', handover])
  })

  test('refuses a login that did not start here, and allows a retry without it', async () => {
    const page = await open({ handover })
    expect(page.seen).toEqual([])
    page.at('problem').retry?.()
    await settled()
    expect(page.seen[0]).toEqual(['open', undefined])
  })
})

describe('a failure', () => {
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
  ] as const)('with %s is shown as %s', async (code, problem) => {
    expect((await open(failing(code))).at('problem').problem).toBe(problem)
  })

  test.each(['server_unreachable', 'client_request_timeout', 'unavailable'] as const)(
    'with %s allows a retry',
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
    'with %s leads to the login again',
    async (code) => {
      const page = await open(failing(code))
      expect(page.seen).toEqual([['open', undefined], 'drop', ['login', state]])
    },
  )

  test('of the storage is reported, without a login that could not return', async () => {
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

  test('for a request of another account offers to change the account', async () => {
    const page = await open(failing('not_found'))
    page.at('problem').changeAccount?.()
    await settled()
    expect(page.seen).toEqual([['open', undefined], 'drop', ['login', state]])
  })
})

test('logs in again with the same request if the user wants another account', async () => {
  const page = await open({ authorize: async () => 'change-account' })
  expect(page.seen).toEqual([['open', undefined], 'drop', ['login', state]])
  expect(page.memory.tab()).toEqual({ request: authorizing, state })
})
