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
  /** What was asked of the server without deciding anything. */
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

test('a request is read, shown, approved by what the vault signs, and the page closes', async () => {
  const page = await open()
  expect(page.states.map(({ status }) => status)).toEqual(['reading', 'review'])
  expect(page.last()).toMatchObject({ record, content: { kind: 'message', message: 'I agree.' } })
  await page.press('approve')
  expect(page.calls).toEqual([{ body: approval, keepalive: true }])
  expect(page.last()).toEqual({ status: 'approved' })
  page.clock.advance(1_399)
  expect(page.closed()).toBe(0)
  page.clock.advance(1)
  expect(page.closed()).toBe(1)
})

test('it is decided once, however often it is pressed', async () => {
  const page = await open()
  page.approve()
  page.refuse()
  await page.press('approve')
  expect(page.calls.map(({ body }) => body)).toEqual([approval])
  await page.press('close')
  expect(page.calls).toHaveLength(1)
})

test('it is refused by its button, and by whoever leaves the page', async () => {
  const refused = await open()
  await refused.press('refuse')
  expect([refused.calls.map(({ body }) => body), refused.last()]).toEqual([[refusal], { status: 'refused' }])
  const left = await open()
  await left.press('close')
  expect(left.calls).toEqual([{ body: refusal, keepalive: true }])
})

test('another digest than what is shown has is refused, and never put to anybody', async () => {
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
])('what is %s already says so', async (state, said) => {
  expect((await open({ read: () => ({ state }) })).last()).toEqual(problem(said))
})

test.each(['', 'short', 'h'.repeat(44)])('an address that names %j has no request', async (name) => {
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
] as const)('a server that answers %s is told of', async (code, shown) => {
  expect((await open({ read: failing(code) })).last()).toEqual(shown)
})

test('what can not be read to the letter is not put to anybody', async () => {
  const read = () => ({ ...record, address: null })
  expect((await open({ read })).last()).toEqual(problem('unreadable'))
})

test('after a server that did not answer it can be tried again', async () => {
  const answers = [failing('server_unreachable'), () => record]
  const page = await open({ read: () => answers.shift()?.() })
  expect(page.last()).toEqual({ status: 'unreachable' })
  await page.read()
  expect(page.last()).toMatchObject({ status: 'review' })
})

test('a frame that is not found within 15 s is said so', async () => {
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

test('a frame that is gone has its request refused', async () => {
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

test('what the card took back while it was pressed is refused', async () => {
  const approver = { approve: async () => failing('not_found')() }
  const page = await open({ approver })
  await page.press('approve')
  expect([page.calls.map(({ body }) => body), page.last()]).toEqual([[refusal], { status: 'refused' }])
})

test('a device without a key of the session asks to log in again', async () => {
  const page = await open({ approver: { approve: async () => failing('device_not_bound')() } })
  await page.press('approve')
  expect(page.last()).toEqual(problem('log-in-again'))
  const other = await open({ decide: failing('device_not_bound') })
  await other.press('approve')
  expect(other.last()).toEqual(problem('log-in-again'))
})

test('it is over when its time is, and approves nothing then', async () => {
  const page = await open()
  page.clock.advance(299_000)
  expect(page.last()).toMatchObject({ status: 'review' })
  page.clock.advance(1_000)
  expect(page.last()).toEqual(problem('expired'))
  await page.press('approve')
  expect(page.calls).toEqual([])
})

test.each(['used', 'expired'] as const)('a decision that finds it %s says so', async (state) => {
  const page = await open({ decide: () => ({ state }) })
  await page.press('approve')
  expect(page.last()).toEqual(problem(state === 'used' ? 'decided' : 'expired'))
})

const cutOff = { find: async () => undefined }

test('a page that is cut off is approved by a code, which is sent on a press', async () => {
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
] as const)('a code that is refused with %s can be typed again', async (code, said) => {
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
] as const)('a code that is not sent, for %s, is told of', async (code, shown) => {
  const page = await open({ ...cutOff, sendCode: failing(code) })
  page.sendCode()
  await settled()
  expect(page.last()).toEqual(shown)
})

test.each([
  ['sms', '•••0123'],
  ['totp', null],
] as const)('a page that is cut off says that the code comes by %s', async (by, sentTo) => {
  const page = await open({ ...cutOff, sendCode: () => ({ by, sentTo }) })
  page.sendCode()
  await settled()
  expect(page.last()).toMatchObject({ status: 'code', code: { by, sentTo }, record })
})

describe('a page that is cut off, of a user whose wallet a passkey keeps,', () => {
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

  test('is approved by what that answers to the challenge that came with the request', async () => {
    const asked: AssertionOptions[] = []
    const page = await opened({
      async askPasskey(given) {
        asked.push(given)
        return answer
      },
    })
    expect(page.last()).toMatchObject({ status: 'review', by: 'passkey', record: { digest } })
    // Not before a press.
    expect(asked).toEqual([])
    await page.press('approveByPasskey')
    expect(asked).toEqual([options])
    expect(page.calls).toEqual([{ body: byPasskey, keepalive: true }])
    expect(page.last()).toEqual({ status: 'approved' })
  })

  test('asks for none where the frame is there: the device approves', async () => {
    const page = await open({ read: () => ({ ...record, passkey: options }) })
    expect(page.last()).toMatchObject({ status: 'review', by: 'press' })
    await page.press('approveByPasskey')
    expect(page.calls).toEqual([])
  })

  test('may try again, or go on with a code, where it was not given', async () => {
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

  test('goes on with a code alone where the server refuses it', async () => {
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
  ] as const)('says so where its answer meets %s', async (code, shown) => {
    const page = await opened({ decide: failing(code) })
    await page.press('approveByPasskey')
    expect(page.last()).toEqual(shown)
  })

  test('refuses where its user leaves while it is asked', async () => {
    const late = Promise.withResolvers<Assertion>()
    const page = await opened({ askPasskey: () => late.promise })
    await page.press('approveByPasskey')
    expect(page.last()).toMatchObject({ status: 'deciding' })
    await page.press('close')
    expect(page.calls.map(({ body }) => body)).toEqual([refusal])
  })

  test('takes no answer that comes when the time is over', async () => {
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

describe('a page that the host opened in the click that asked', () => {
  const name = 'n'.repeat(43)
  const opened = (answers: Answers = {}) => open({ ...answers, handle: name, by: 'host' })

  test('waits until the card has put the request, shows it, and approves it by its handle', async () => {
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

  test('closes by itself after 20 seconds without one', async () => {
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

  test('that was cut off from it closes, and asks for no code', async () => {
    const page = await opened({ find: async () => undefined })
    expect([page.last(), page.closed()]).toEqual([problem('alone'), 1])
  })

  test('refuses nothing where it is left before it shows something', async () => {
    const page = await opened({ find: () => new Promise(() => {}) })
    await page.press('close')
    expect(page.calls).toEqual([])
  })
})

describe('a page whose request', () => {
  const reviewed = { record, content: { kind: 'message', message: 'I agree.' } }

  test('is read and decided under its handle, and shows that it is being decided', async () => {
    const page = await open()
    expect(page.asked).toEqual([['/confirmations/read', { handle }]])
    await page.press('approve')
    expect(page.states.map(({ status }) => status)).toEqual(['reading', 'review', 'deciding', 'approved'])
    expect(page.states[2]).toMatchObject(reviewed)
  })

  test('is being decided does not expire meanwhile', async () => {
    const signed = Promise.withResolvers<string>()
    const page = await open({ approver: { approve: () => signed.promise } })
    await page.press('approve')
    page.clock.advance(300_000)
    expect(page.last()).toMatchObject({ status: 'deciding' })
    signed.resolve('signed by the device')
    await settled()
    expect(page.last()).toEqual({ status: 'approved' })
  })

  test('is another one than it says, and can not be refused, is not said to be', async () => {
    const page = await open({
      read: () => ({ ...record, digest: `0x${'0'.repeat(64)}` }),
      decide: failing('server_unreachable'),
    })
    expect(page.last()).toEqual({ status: 'unreachable' })
  })

  test('is open still after it was decided was decided elsewhere', async () => {
    const page = await open({ decide: () => ({ state: 'open' }) })
    await page.press('approve')
    expect(page.last()).toEqual(problem('decided'))
  })

  test('is of a session that has ended asks to log in again', async () => {
    const page = await open({ decide: failing('missing_or_invalid_token') })
    await page.press('approve')
    expect(page.last()).toEqual(problem('log-in-again'))
  })

  test('the card has opened stays open where it can not be shown', async () => {
    const page = await open({ read: failing('not_found') })
    expect([page.last(), page.closed()]).toEqual([problem('unknown'), 0])
  })
})

describe('an error that is not ours', () => {
  const foreign = (code: string) => () => {
    throw Object.assign(new Error('Not ours'), { code })
  }

  test('is no answer of the server, whatever it calls itself', async () => {
    expect((await open({ read: foreign('server_unreachable') })).last()).toEqual(problem('unreadable'))
  })

  test('is no answer of the device either: what it stops is refused', async () => {
    const page = await open({ approver: { approve: async () => foreign('device_not_bound')() } })
    await page.press('approve')
    expect([page.calls.map(({ body }) => body), page.last()]).toEqual([[refusal], { status: 'refused' }])
  })

  test('says nothing of a code', async () => {
    const page = await open({ ...cutOff, decide: foreign('invalid_credentials') })
    page.approveByCode('123456')
    await settled()
    expect(page.last()).toEqual(problem('unreadable'))
  })
})

describe('a page that is cut off', () => {
  test('asks for the code of its own request, and shows that it is asked for', async () => {
    const page = await open(cutOff)
    page.sendCode()
    await settled()
    expect(page.asked).toEqual([
      ['/confirmations/read', { handle }],
      ['/confirmations/code', { handle }],
    ])
    expect(page.states.map(({ status }) => status)).toEqual(['reading', 'review', 'deciding', 'code'])
    expect(page.states[2]).toMatchObject({ record, content: { kind: 'message' } })
  })

  test('whose first code is refused has a code typed that an earlier page was sent', async () => {
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
  ])('and is refused while its code is asked for stays refused when that %s', async (_what, answer) => {
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

  test('and reached nobody says so for as long as it stands there', async () => {
    const page = await open({ ...cutOff, sendCode: failing('server_unreachable') })
    page.sendCode()
    await settled()
    page.clock.advance(300_000)
    expect(page.last()).toEqual({ status: 'unreachable' })
  })
})

describe('a page that the host opened, and that knows its request,', () => {
  const opened = (answers: Answers = {}) => open({ ...answers, handle: 'n'.repeat(43), by: 'host' })

  test('shows that it reads that, under the handle that the card gave it', async () => {
    const page = await opened()
    expect(page.states.map(({ status }) => status)).toEqual(['waiting', 'reading', 'review'])
    expect(page.asked).toEqual([['/confirmations/read', { handle }]])
  })

  test('stays open where that can not be shown', async () => {
    const page = await opened({ read: failing('not_found') })
    expect([page.last(), page.closed()]).toEqual([problem('unknown'), 0])
  })
})
