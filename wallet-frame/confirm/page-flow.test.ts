import { LatchkeyError } from '@latchkey/protocol'
import type { Assertion, AssertionOptions, OpenConfirmation } from '@latchkey/protocol/api'
import type { ConfirmationState } from '@latchkey/protocol/wallet'
import { hashMessage, stringToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { PublicApi, PublicCaller } from '../shares/transport.ts'
import { settled, testClock } from '../testing/clock.ts'
import { type Approver, createPageFlow, type PageState } from './page-flow.ts'

const handle = 'h'.repeat(43)
const wallet = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const digest = hashMessage('I agree.')
const record: OpenConfirmation = {
  state: 'open',
  appName: 'Fieldnotes',
  request: { method: 'personal_sign', params: [stringToHex('I agree.'), wallet] },
  address: wallet,
  account: null,
  digest,
  reason: 'plain_message',
  usd: null,
  origin: 'https://app.example',
  chain: null,
  token: null,
  tokens: [],
  l1Fee: null,
  passkey: null,
  expiresInSeconds: 300,
}
const byMail = { by: 'mail', sentTo: 'a•••@example.com' }
type Answers = {
  read?: () => unknown
  decide?: (decision: string) => { state: ConfirmationState }
  approver?: Partial<Approver>
  find?: (signal: AbortSignal) => Promise<Approver | undefined>
  sendCode?: () => unknown
  askPasskey?: (options: AssertionOptions) => Promise<Assertion>
  handle?: string
  by?: 'card' | 'host'
}

async function open({ read = () => record, decide, approver, find, ...more }: Answers = {}) {
  const { handle: name = handle, by = 'card', sendCode = () => byMail } = more
  const { askPasskey = () => expect.unreachable() } = more
  const clock = testClock()
  const states: PageState[] = []
  const calls: { body: object; keepalive: boolean | undefined }[] = []
  /** Server calls that decide nothing. */
  const asked: unknown[] = []
  let closed = 0
  const api = (async (route: { path: string }, { keepalive }: PublicCaller, body: object) => {
    if (route.path !== '/confirmations/decision') asked.push([route.path, body])
    if (route.path === '/confirmations/read') return read()
    if (route.path === '/confirmations/code') return sendCode()
    calls.push({ body, keepalive })
    const { decision = '' } = body as { decision?: string }
    return decide?.(decision) ?? { state: decision === 'approve' ? 'approved' : 'refused' }
  }) as unknown as PublicApi
  const flow = createPageFlow({
    pageName: { by, name },
    clock,
    api,
    findApprover:
      find ??
      (async () => ({
        request: async () => handle,
        approve: async () => 'signed by the device',
        isGone: () => false,
        ...approver,
      })),
    askPasskey,
    show: (state) => void states.push(state),
    closePage: () => {
      closed += 1
    },
  })
  void flow.read()
  await settled()
  const press = async (what: 'approve' | 'refuse' | 'close' | 'approveByPasskey' | 'sendCode') => {
    flow[what]()
    await settled()
  }
  return { ...flow, press, clock, states, calls, asked, last: () => states.at(-1), closed: () => closed }
}
const approval = { handle, digest, decision: 'approve', statement: 'signed by the device' }
const refusal = { handle, digest, decision: 'refuse' }
const problem = (what: string) => ({ status: 'problem', problem: what })

test('shows the request, has the vault sign the approval, and closes the page', async () => {
  const page = await open()
  expect(page.states.map(({ status }) => status)).toEqual(['reading', 'review'])
  expect(page.last()).toMatchObject({ record, content: { type: 'message', message: 'I agree.' } })
  await page.press('approve')
  expect(page.calls).toEqual([{ body: approval, keepalive: true }])
  expect(page.last()).toEqual({ status: 'approved' })
  page.clock.advance(1_399)
  expect(page.closed()).toBe(0)
  page.clock.advance(1)
  expect(page.closed()).toBe(1)
})

test('sends one decision, however often the buttons are pressed', async () => {
  const page = await open()
  page.approve()
  page.refuse()
  await page.press('approve')
  expect(page.calls.map(({ body }) => body)).toEqual([approval])
  await page.press('close')
  expect(page.calls).toHaveLength(1)
})

test('refuses by the button and by leaving the page', async () => {
  const refused = await open()
  await refused.press('refuse')
  expect([refused.calls.map(({ body }) => body), refused.last()]).toEqual([[refusal], { status: 'refused' }])
  const left = await open()
  await left.press('close')
  expect(left.calls).toEqual([{ body: refusal, keepalive: true }])
})

test('refuses a request whose digest differs from the shown content, without showing it', async () => {
  const page = await open({ read: () => ({ ...record, digest: `0x${'0'.repeat(64)}` }) })
  expect(page.last()).toEqual(problem('changed'))
  expect(page.calls.map(({ body }) => body)).toEqual([{ ...refusal, digest: `0x${'0'.repeat(64)}` }])
  expect(page.states.map(({ status }) => status)).not.toContain('review')
})

test.each([
  ['approved', 'decided'],
  ['refused', 'decided'],
  ['used', 'decided'],
  ['expired', 'expired'],
])('reports a request that is already %s', async (state, said) => {
  expect((await open({ read: () => ({ state }) })).last()).toEqual(problem(said))
})

test.each(['', 'short', 'h'.repeat(44)])('has no request for the URL fragment %j', async (name) => {
  const page = await open({
    handle: name,
    read: () => expect.unreachable(),
    find: () => expect.unreachable(),
  })
  expect(page.states).toEqual([problem('unknown')])
})

const failing = (code: ConstructorParameters<typeof LatchkeyError>[0]) => () => {
  throw new LatchkeyError(code, 'No')
}
test.each([
  ['not_found', problem('unknown')],
  ['server_unreachable', { status: 'unreachable' }],
  ['client_request_timeout', { status: 'unreachable' }],
  ['invalid_data', problem('unreadable')],
] as const)('reports the server error %s', async (code, shown) => {
  expect((await open({ read: failing(code) })).last()).toEqual(shown)
})

test('does not show a request that cannot be parsed strictly', async () => {
  const read = () => ({ ...record, address: null })
  expect((await open({ read })).last()).toEqual(problem('unreadable'))
})

test('allows a retry if the server did not respond', async () => {
  const answers = [failing('server_unreachable'), () => record]
  const page = await open({ read: () => answers.shift()?.() })
  expect(page.last()).toEqual({ status: 'unreachable' })
  await page.read()
  expect(page.last()).toMatchObject({ status: 'review' })
})

test('reports a missing frame after 15 s', async () => {
  const page = await open({
    find: (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
  })
  page.clock.advance(14_999)
  await settled()
  expect(page.last()).toEqual({ status: 'reading' })
  page.clock.advance(1)
  await settled()
  expect(page.last()).toEqual(problem('alone'))
})

test('refuses the request when the frame has gone', async () => {
  let isGone = false
  const page = await open({ approver: { isGone: () => isGone } })
  page.clock.advance(1_000)
  expect(page.calls).toEqual([])
  isGone = true
  page.clock.advance(1_000)
  await settled()
  expect(page.calls.map(({ body }) => body)).toEqual([refusal])
  expect(page.last()).toEqual({ status: 'refused' })
})

test('refuses a request that the card cancelled during the press', async () => {
  const approver = { approve: async () => failing('not_found')() }
  const page = await open({ approver })
  await page.press('approve')
  expect([page.calls.map(({ body }) => body), page.last()]).toEqual([[refusal], { status: 'refused' }])
})

test('asks to log in again if the device has no session key', async () => {
  const page = await open({ approver: { approve: async () => failing('device_not_bound')() } })
  await page.press('approve')
  expect(page.last()).toEqual(problem('log-in-again'))
  const other = await open({ decide: failing('device_not_bound') })
  await other.press('approve')
  expect(other.last()).toEqual(problem('log-in-again'))
})

test('expires with the request and approves nothing afterwards', async () => {
  const page = await open()
  page.clock.advance(299_000)
  expect(page.last()).toMatchObject({ status: 'review' })
  page.clock.advance(1_000)
  expect(page.last()).toEqual(problem('expired'))
  await page.press('approve')
  expect(page.calls).toEqual([])
})

test.each(['used', 'expired'] as const)('reports a request that is %s when it is decided', async (state) => {
  const page = await open({ decide: () => ({ state }) })
  await page.press('approve')
  expect(page.last()).toEqual(problem(state === 'used' ? 'decided' : 'expired'))
})

const cutOff = { find: async () => undefined }

test('approves by a code, sent on a press, if the page is cut off', async () => {
  const page = await open(cutOff)
  expect(page.last()).toMatchObject({ status: 'review', by: 'code' })
  page.sendCode()
  await settled()
  expect(page.last()).toMatchObject({ status: 'code', code: byMail, record })
  page.approveByCode('123456')
  await settled()
  expect(page.calls.map(({ body }) => body)).toEqual([
    { handle, digest, decision: 'approve', code: '123456' },
  ])
  expect(page.last()).toEqual({ status: 'approved' })
})

test.each([
  ['invalid_credentials', 'wrong'],
  ['too_many_requests', 'too-many'],
  ['mfa_verification_max_attempts_reached', 'too-many'],
] as const)('lets the user retype a code that was rejected with %s', async (code, said) => {
  const answers: (() => { state: ConfirmationState })[] = [failing(code), () => ({ state: 'approved' })]
  const page = await open({ ...cutOff, decide: () => answers.shift()?.() ?? { state: 'open' } })
  page.sendCode()
  await settled()
  page.approveByCode('111111')
  await settled()
  expect(page.last()).toMatchObject({ status: 'code', problem: said, code: byMail })
  page.approveByCode('123456')
  await settled()
  expect(page.last()).toEqual({ status: 'approved' })
})

test.each([
  ['not_supported', problem('alone')],
  ['linked_account_not_found', problem('no-address')],
  ['method_too_new', problem('no-address')],
  ['server_unreachable', { status: 'unreachable' }],
  ['email_not_sent', { status: 'unreachable' }],
  ['twilio_verification_failed', { status: 'unreachable' }],
] as const)('reports a code that was not sent because of %s', async (code, shown) => {
  const page = await open({ ...cutOff, sendCode: failing(code) })
  page.sendCode()
  await settled()
  expect(page.last()).toEqual(shown)
})

test.each([
  ['sms', '•••0123'],
  ['totp', null],
] as const)('names the delivery of the code by %s if the page is cut off', async (by, sentTo) => {
  const page = await open({ ...cutOff, sendCode: () => ({ by, sentTo }) })
  page.sendCode()
  await settled()
  expect(page.last()).toMatchObject({ status: 'code', code: { by, sentTo }, record })
})

describe('a cut-off page whose user has a recovery passkey', () => {
  const options: AssertionOptions = { challenge: 'Y2hhbGxlbmdl', userVerification: 'required' }
  const answer: Assertion = {
    id: 'cGFzc2tleQ',
    rawId: 'cGFzc2tleQ',
    type: 'public-key',
    clientExtensionResults: {},
    response: { clientDataJson: 'e30', authenticatorData: 'AA', signature: 'AA' },
  }
  const byPasskey = { handle, digest, decision: 'approve', passkey: answer }
  const opened = (answers: Answers = {}) =>
    open({
      ...cutOff,
      read: () => ({ ...record, passkey: options }),
      askPasskey: async () => answer,
      ...answers,
    })

  test("approves by the passkey's assertion over the request's challenge", async () => {
    const asked: AssertionOptions[] = []
    const page = await opened({
      async askPasskey(given) {
        asked.push(given)
        return answer
      },
    })
    expect(page.last()).toMatchObject({ status: 'review', by: 'passkey', record: { digest } })
    // Not prompted before a press.
    expect(asked).toEqual([])
    await page.press('approveByPasskey')
    expect(asked).toEqual([options])
    expect(page.calls).toEqual([{ body: byPasskey, keepalive: true }])
    expect(page.last()).toEqual({ status: 'approved' })
  })

  test('does not prompt if the frame is connected: the device approves', async () => {
    const page = await open({ read: () => ({ ...record, passkey: options }) })
    expect(page.last()).toMatchObject({ status: 'review', by: 'press' })
    await page.press('approveByPasskey')
    expect(page.calls).toEqual([])
  })

  test('may retry, or use a code, after a cancelled prompt', async () => {
    const given = [() => Promise.reject(new Error('NotAllowedError')), async () => answer]
    const page = await opened({ askPasskey: () => given.shift()?.() ?? expect.unreachable() })
    await page.press('approveByPasskey')
    expect(page.last()).toMatchObject({ status: 'review', by: 'passkey', problem: 'not-given' })
    expect(page.calls).toEqual([])
    await page.press('approveByPasskey')
    expect(page.calls.map(({ body }) => body)).toEqual([byPasskey])
    const other = await opened({ askPasskey: () => Promise.reject(new Error('NotAllowedError')) })
    await other.press('approveByPasskey')
    await other.press('sendCode')
    expect(other.last()).toMatchObject({ status: 'code', code: byMail })
    other.approveByCode('123456')
    await settled()
    expect(other.last()).toEqual({ status: 'approved' })
  })

  test('falls back to a code after the server refused the assertion', async () => {
    const page = await opened({ decide: failing('invalid_credentials') })
    await page.press('approveByPasskey')
    expect(page.last()).toMatchObject({ status: 'review', by: 'code', problem: 'refused' })
    await page.press('approveByPasskey')
    expect(page.calls).toHaveLength(1)
    await page.press('sendCode')
    expect(page.last()).toMatchObject({ status: 'code', code: byMail })
  })

  test.each([
    ['not_supported', problem('alone')],
    ['not_found', problem('unknown')],
    ['server_unreachable', { status: 'unreachable' }],
  ] as const)('reports %s when the assertion is sent', async (code, shown) => {
    const page = await opened({ decide: failing(code) })
    await page.press('approveByPasskey')
    expect(page.last()).toEqual(shown)
  })

  test('refuses if the user leaves during the prompt', async () => {
    const late = Promise.withResolvers<Assertion>()
    const page = await opened({ askPasskey: () => late.promise })
    await page.press('approveByPasskey')
    expect(page.last()).toMatchObject({ status: 'deciding' })
    await page.press('close')
    expect(page.calls.map(({ body }) => body)).toEqual([refusal])
  })

  test('ignores an assertion that arrives after the expiry', async () => {
    const late = Promise.withResolvers<Assertion>()
    const page = await opened({ askPasskey: () => late.promise })
    await page.press('approveByPasskey')
    page.clock.advance(299_000)
    for (let passed = 0; passed < 3; passed += 1) page.clock.advance(1_000)
    expect(page.last()).toEqual(problem('expired'))
    late.resolve(answer)
    await settled()
    expect(page.calls).toEqual([])
    expect(page.last()).toEqual(problem('expired'))
  })
})

describe('a page that the host opened during the click', () => {
  const name = 'n'.repeat(43)
  const opened = (answers: Answers = {}) => open({ ...answers, handle: name, by: 'host' })

  test("waits for the card's request, shows it, and approves it by its handle", async () => {
    const found = Promise.withResolvers<Approver>()
    const page = await opened({ find: () => found.promise })
    expect(page.last()).toEqual({ status: 'waiting' })
    found.resolve({
      request: async () => handle,
      approve: async () => 'signed by the device',
      isGone: () => false,
    })
    await settled()
    expect(page.last()).toMatchObject({ status: 'review', by: 'press', record })
    await page.press('approve')
    expect(page.calls.map(({ body }) => body)).toEqual([approval])
  })

  test('closes by itself after 20 seconds without a request', async () => {
    const page = await opened({
      find: (signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    })
    page.clock.advance(19_999)
    await settled()
    expect([page.last(), page.closed()]).toEqual([{ status: 'waiting' }, 0])
    page.clock.advance(1)
    await settled()
    expect([page.last(), page.closed()]).toEqual([problem('alone'), 1])
    expect(page.calls).toEqual([])
  })

  test('closes if it is cut off, and offers no code', async () => {
    const page = await opened({ find: async () => undefined })
    expect([page.last(), page.closed()]).toEqual([problem('alone'), 1])
  })

  test('refuses nothing if the user leaves before a request is shown', async () => {
    const page = await opened({ find: () => new Promise(() => {}) })
    await page.press('close')
    expect(page.calls).toEqual([])
  })
})

describe('a request on the confirmation page', () => {
  const reviewed = { record, content: { type: 'message', message: 'I agree.' } }

  test('is read and decided under its handle, and shown as being decided', async () => {
    const page = await open()
    expect(page.asked).toEqual([['/confirmations/read', { handle }]])
    await page.press('approve')
    expect(page.states.map(({ status }) => status)).toEqual(['reading', 'review', 'deciding', 'approved'])
    expect(page.states[2]).toMatchObject(reviewed)
  })

  test('does not expire while it is being decided', async () => {
    const signed = Promise.withResolvers<string>()
    const page = await open({ approver: { approve: () => signed.promise } })
    await page.press('approve')
    page.clock.advance(300_000)
    expect(page.last()).toMatchObject({ status: 'deciding' })
    signed.resolve('signed by the device')
    await settled()
    expect(page.last()).toEqual({ status: 'approved' })
  })

  test('with a wrong digest is not reported as refused if the refusal fails', async () => {
    const page = await open({
      read: () => ({ ...record, digest: `0x${'0'.repeat(64)}` }),
      decide: failing('server_unreachable'),
    })
    expect(page.last()).toEqual({ status: 'unreachable' })
  })

  test('that is still open after a decision was decided elsewhere', async () => {
    const page = await open({ decide: () => ({ state: 'open' }) })
    await page.press('approve')
    expect(page.last()).toEqual(problem('decided'))
  })

  test('of an ended session asks the user to log in again', async () => {
    const page = await open({ decide: failing('missing_or_invalid_token') })
    await page.press('approve')
    expect(page.last()).toEqual(problem('log-in-again'))
  })

  test("keeps the card's page open if it cannot be shown", async () => {
    const page = await open({ read: failing('not_found') })
    expect([page.last(), page.closed()]).toEqual([problem('unknown'), 0])
  })
})

describe('a foreign error', () => {
  const foreign = (code: string) => () => {
    throw Object.assign(new Error('Not ours'), { code })
  }

  test('does not count as a server error, even with its code', async () => {
    expect((await open({ read: foreign('server_unreachable') })).last()).toEqual(problem('unreadable'))
  })

  test('of the device refuses the request, even with our code', async () => {
    const page = await open({ approver: { approve: async () => foreign('device_not_bound')() } })
    await page.press('approve')
    expect([page.calls.map(({ body }) => body), page.last()]).toEqual([[refusal], { status: 'refused' }])
  })

  test('shows no problem of a code', async () => {
    const page = await open({ ...cutOff, decide: foreign('invalid_credentials') })
    page.approveByCode('123456')
    await settled()
    expect(page.last()).toEqual(problem('unreadable'))
  })
})

describe('a cut-off page', () => {
  test('requests the code of its own request, and shows that it is on its way', async () => {
    const page = await open(cutOff)
    page.sendCode()
    await settled()
    expect(page.asked).toEqual([
      ['/confirmations/read', { handle }],
      ['/confirmations/code', { handle }],
    ])
    expect(page.states.map(({ status }) => status)).toEqual(['reading', 'review', 'deciding', 'code'])
    expect(page.states[2]).toMatchObject({ record, content: { type: 'message' } })
  })

  test('accepts a code from an earlier page if the first send is refused', async () => {
    const page = await open({ ...cutOff, sendCode: failing('too_many_requests') })
    page.sendCode()
    await settled()
    expect(page.last()).toMatchObject({
      status: 'code',
      problem: 'too-many',
      code: { by: 'mail', sentTo: null },
      record,
    })
    page.approveByCode('123456')
    await settled()
    expect(page.last()).toEqual({ status: 'approved' })
  })

  test.each([
    ['comes', () => byMail],
    ['does not come', failing('email_not_sent')],
    ['is refused', failing('too_many_requests')],
  ])('stays refused if the code that was requested before %s', async (_what, answer) => {
    const sending = Promise.withResolvers<void>()
    const page = await open({ ...cutOff, sendCode: () => sending.promise.then(answer) })
    page.sendCode()
    await page.press('refuse')
    expect(page.last()).toEqual({ status: 'refused' })
    sending.resolve()
    await settled()
    expect(page.last()).toEqual({ status: 'refused' })
    page.approveByCode('123456')
    await settled()
    expect(page.calls.map(({ body }) => body)).toEqual([refusal])
  })

  test('keeps reporting a failed send until the user acts', async () => {
    const page = await open({ ...cutOff, sendCode: failing('server_unreachable') })
    page.sendCode()
    await settled()
    page.clock.advance(300_000)
    expect(page.last()).toEqual({ status: 'unreachable' })
  })
})

describe('a page that the host opened and that has its request', () => {
  const opened = (answers: Answers = {}) => open({ ...answers, handle: 'n'.repeat(43), by: 'host' })

  test('shows that it reads the request, under the handle from the card', async () => {
    const page = await opened()
    expect(page.states.map(({ status }) => status)).toEqual(['waiting', 'reading', 'review'])
    expect(page.asked).toEqual([['/confirmations/read', { handle }]])
  })

  test('stays open if the request cannot be shown', async () => {
    const page = await opened({ read: failing('not_found') })
    expect([page.last(), page.closed()]).toEqual([problem('unknown'), 0])
  })
})
