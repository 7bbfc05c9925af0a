/**
 * Signature requests of another app: what is shown, who receives the outcome, and that they are answered
 * once.
 */
import { hashMessage, serializeTransaction, stringToHex } from 'viem'
import { describe, expect, test, vi } from 'vitest'
import type { PublicApi } from '../shares/transport.ts'
import { settled, testClock } from '../testing/clock.ts'
import { address, appId, refusal, testApi, testScreen, userWith } from '../testing/cross-app.ts'
import type { OpenerMessage } from './opener.ts'
import { notifyOpener } from './opener.ts'
import type { SessionCaller } from './session/session.ts'
import { createTransact, type TransactPorts } from './transact.ts'

const handle = 'h'.repeat(43)
const own = 'o'.repeat(43)
const requester = { name: 'Fieldnotes', origin: 'https://fieldnotes.example' }
const openerOrigins = ['https://dialog.fieldnotes.example', 'https://fieldnotes.example']
const request = { method: 'personal_sign', params: [stringToHex('I agree.'), address] }
const digest = hashMessage('I agree.')
const signature = `0x${'5a'.repeat(65)}`
const read = { requester, address, request, openerOrigins, expiresInSeconds: 120 }
const record = {
  state: 'open',
  appName: 'Wallets',
  request,
  address,
  account: null,
  digest,
  reason: 'plain_message',
  usd: null,
  origin: null,
  chain: null,
  token: null,
  tokens: [],
  l1Fee: null,
  passkey: null,
  expiresInSeconds: 300,
}
const answerPath = '/oauth/requests/answer'
type Parts = {
  read?: unknown
  put?: () => unknown
  record?: unknown
  decide?: () => unknown
  answer?: () => unknown
  sign?: () => Promise<unknown>
  bring?: () => Promise<string>
}

async function open(parts: Parts = {}) {
  const clock = testClock()
  const screen = testScreen()
  const told: OpenerMessage[] = []
  const asked: unknown[] = []
  let closed = 0
  let written = 0
  let sentByLeaving = 0
  const server = testApi<SessionCaller>({
    '/oauth/requests/read': () => parts.read ?? read,
    '/confirmations': parts.put ?? (() => ({ digest, place: 'page' })),
    [answerPath]: parts.answer ?? (() => ({ status: 'completed', result: signature })),
  })
  const pages = testApi({
    '/confirmations/read': () => parts.record ?? record,
    '/confirmations/decision': parts.decide ?? (() => ({ state: 'approved' })),
  })
  const transact = createTransact({
    appId,
    session: { api: server.api, user: () => userWith() },
    vault: {
      call: (async (name: string, input: unknown) => {
        asked.push([name, input])
        return { statement: 'signed by the device' }
      }) as unknown as TransactPorts['vault']['call'],
    },
    steps: {
      run: (async (step: object) => {
        const { signal: _of, ...named } = step as { signal: AbortSignal }
        asked.push(named)
        return parts.sign ? parts.sign() : { address, data: signature }
      }) as unknown as TransactPorts['steps']['run'],
    },
    publicApi: pages.api as unknown as PublicApi,
    bringWallet: parts.bring ?? (async () => address.toLowerCase()),
    clock,
    show: screen.show,
    tellOpener: (origins, message) => {
      expect(origins).toEqual((parts.read as typeof read | undefined)?.openerOrigins ?? openerOrigins)
      told.push(message)
    },
    writeRejection: async () => {
      written += 1
      return () => {
        sentByLeaving += 1
      }
    },
    newHandle: () => own,
    closePage: () => {
      closed += 1
    },
  })
  const run = transact
    .run(handle, userWith(), new AbortController().signal)
    .catch((error: { code: string }) => error.code)
  await settled()
  const answers = () => server.calls.filter(({ path }) => path === answerPath).map(({ body }) => body)
  return {
    ...screen,
    clock,
    transact,
    run,
    told,
    asked,
    server,
    pages,
    answers,
    closed: () => closed,
    written: () => written,
    sentByLeaving: () => sentByLeaving,
  }
}
type Page = Awaited<ReturnType<typeof open>>
async function approve(page: Page) {
  page.at('review').approve()
  await settled()
}
const answered = (answer: object) => [{ handle, answer }]
const refused = { handle: own, digest, decision: 'refuse' }
const decisions = ({ pages }: Page) =>
  pages.calls.filter(({ path }) => path === '/confirmations/decision').map(({ body }) => body)

describe('a request', () => {
  test('creates its own confirmation and shows the requester', async () => {
    const page = await open()
    expect(page.server.calls[1]).toMatchObject({
      path: '/confirmations',
      body: { handle: own, address, request, origin: null, place: 'page' },
    })
    expect(page.at('review')).toMatchObject({
      requester,
      record: { address },
      content: { type: 'message', message: 'I agree.' },
    })
    expect(page.answers()).toEqual([])
  })

  // spec W7.17
  test('signs an approved request for its digest, answers it, notifies the opener, and closes the page', async () => {
    const page = await open()
    await approve(page)
    expect(page.asked).toEqual([
      ['approve', { appId, userId: 'user_1', handle: own, digest }],
      { purpose: 'sign', address, approved: { handle: own, digest } },
    ])
    expect(decisions(page)).toEqual([
      { handle: own, digest, decision: 'approve', statement: 'signed by the device' },
    ])
    expect(page.answers()).toEqual(answered({ type: 'signed', data: signature }))
    expect(page.told).toEqual([{ result: signature }])
    expect(page.last()).toEqual({ status: 'signed' })
    page.clock.advance(1_399)
    expect(page.closed()).toBe(0)
    page.clock.advance(1)
    expect(page.closed()).toBe(1)
    page.transact.close()
    expect(page.sentByLeaving()).toBe(0)
  })

  // spec W7.18, W8.26
  test('reports a rejection to the server and the opener', async () => {
    const page = await open()
    page.at('review').reject()
    await settled()
    expect(page.answers()).toEqual(answered({ type: 'rejected' }))
    expect(decisions(page)).toEqual([refused])
    expect(page.told).toEqual([{ error: 'User rejected request' }])
    expect(page.last()).toEqual({ status: 'rejected' })
    expect(page.asked).toEqual([])
  })

  test('sends the prepared rejection once if the user leaves the page', async () => {
    const page = await open()
    page.transact.close()
    page.transact.close()
    expect(page.sentByLeaving()).toBe(1)
    expect(page.told).toEqual([{ error: 'User rejected request' }])
    expect(decisions(page)).toEqual([refused])
    expect(page.last()).toEqual({ status: 'rejected' })
    expect(page.clock.timers()).toBe(0)
  })

  test('prepares a new rejection every 20 s, because a proof is valid for a minute', async () => {
    const page = await open()
    expect(page.written()).toBe(1)
    page.clock.advance(20_000)
    await settled()
    expect(page.written()).toBe(2)
  })

  // spec W8.27
  test('expires after 120 s, with a message to the opener', async () => {
    const page = await open()
    page.clock.advance(119_999)
    expect(page.last()?.status).toBe('review')
    page.clock.advance(1)
    expect(page.last()).toEqual({ status: 'problem', problem: 'timeout' })
    expect(page.told).toEqual([{ error: 'Request timeout' }])
    await settled()
    expect(page.last()).toEqual({ status: 'problem', problem: 'timeout' })
    page.transact.close()
    expect(page.sentByLeaving()).toBe(0)
  })

  test('does not run twice: another page that has read it decides', async () => {
    const page = await open({ read: refusal('token_already_used') })
    expect(await page.run).toBe('token_already_used')
    expect(page.answers()).toEqual([])
    page.transact.close()
    expect([page.told, page.sentByLeaving()]).toEqual([[], 0])
  })

  test('is blocked if it is for another wallet', async () => {
    const page = await open({ bring: async () => `0x${'1'.repeat(40)}` })
    expect(page.last()).toEqual({ status: 'problem', problem: 'unknown' })
    expect(page.answers()).toEqual(answered({ type: 'failed' }))
  })

  test('is rejected if the user cancels the wallet setup', async () => {
    const page = await open({
      bring: async () => {
        throw refusal('user_rejected_request')
      },
    })
    expect(page.answers()).toEqual(answered({ type: 'rejected' }))
    expect(page.last()).toEqual({ status: 'rejected' })
  })
})

describe('a request that is blocked before the user sees it', () => {
  const signIn = (domain: string) =>
    `${domain} wants you to sign in with your Ethereum account:\n${address}\n\nHello\n\nURI: https://${domain}\nVersion: 1\nChain ID: 1\nNonce: abcdefgh12\nIssued At: 2026-01-01T00:00:00Z`
  const reading = (message: string) => {
    const asking = { method: 'personal_sign', params: [stringToHex(message), address] }
    const made = hashMessage(message)
    return {
      read: { ...read, request: asking },
      put: () => ({ digest: made }),
      record: { ...record, request: asking, digest: made },
    }
  }

  test('includes a sign-in for another site, but not for the requesting app', async () => {
    const elsewhere = await open(reading(signIn('bank.example')))
    expect(elsewhere.last()).toEqual({ status: 'problem', problem: 'sign-in-elsewhere' })
    expect(elsewhere.answers()).toEqual(answered({ type: 'failed' }))
    expect(elsewhere.told).toEqual([{ error: 'Failed to initialize signature request' }])
    expect(elsewhere.statuses()).not.toContain('review')
    expect((await open(reading(signIn('fieldnotes.example')))).last()?.status).toBe('review')
  })

  test.each<[string, Parts]>([
    ['a record of another digest', { record: { ...record, digest: `0x${'0'.repeat(64)}` } }],
    ['a server that read something else', { put: () => ({ digest: `0x${'0'.repeat(64)}` }) }],
    ['a record of another wallet', { record: { ...record, address: `0x${'1'.repeat(40)}` } }],
    ['a record that was decided', { record: { state: 'used' } }],
    [
      'a message of another chain',
      { read: { ...read, request: { method: 'signMessage', params: ['hi', 'x'] } } },
    ],
  ])('%s', async (_name, parts) => {
    const page = await open(parts)
    expect(['changed', 'unreadable']).toContain(page.at('problem').problem)
    expect(page.answers()).toEqual(answered({ type: 'failed' }))
    expect(page.statuses()).not.toContain('review')
  })
})

describe('a failure after the press', () => {
  test.each([
    ['invalid_data', 'unreadable'],
    ['share_mismatch', 'changed'],
    ['not_found', 'timeout'],
    ['too_many_requests', 'too-many'],
    ['mfa_verification_max_attempts_reached', 'max-attempts'],
    ['unknown_embedded_wallet_error', 'unrecovered'],
    ['missing_or_invalid_mfa', 'factor-elsewhere'],
    ['error', 'failed'],
  ] as const)('with %s in the signature is answered as failed and shown as %s', async (code, problem) => {
    const page = await open({
      sign: async () => {
        throw refusal(code)
      },
    })
    await approve(page)
    expect(page.answers()).toEqual(answered({ type: 'failed' }))
    expect(page.last()).toEqual({ status: 'problem', problem })
    expect(page.told).toEqual([{ error: 'Failed to initialize signature request' }])
  })

  test('of the second factor by the user rejects the request', async () => {
    const page = await open({
      sign: async () => {
        throw refusal('user_rejected_request')
      },
    })
    await approve(page)
    expect(page.answers()).toEqual(answered({ type: 'rejected' }))
  })

  test('without a response allows a retry from the review, while there is time', async () => {
    const failures = [refusal('server_unreachable')]
    const page = await open({
      sign: async () => {
        const failure = failures.shift()
        if (failure) throw failure
        return { address, data: signature }
      },
    })
    await approve(page)
    page.at('unreachable').retry()
    await settled()
    expect(page.answers()).toEqual([])
    await approve(page)
    expect(page.told).toEqual([{ result: signature }])
  })

  test('to deliver the answer sends it again, without a second signature', async () => {
    const failures = [refusal('server_unreachable')]
    const page = await open({ answer: () => failures.shift() ?? { status: 'completed', result: signature } })
    await approve(page)
    const before = page.asked.length
    page.at('unreachable').retry()
    await settled()
    expect(page.asked).toHaveLength(before)
    expect(page.answers()).toHaveLength(2)
    expect(page.told).toEqual([{ result: signature }])
  })

  test.each([
    ['token_already_used', 'decided', []],
    ['outcome_unknown', 'outcome-unknown', []],
    ['transaction_failure', 'not-sent', [{ error: 'Failed to initialize signature request' }]],
  ] as const)('when answering with %s is shown as %s', async (code, problem, told) => {
    const page = await open({ answer: () => refusal(code) })
    await approve(page)
    expect(page.last()).toEqual({ status: 'problem', problem })
    expect(page.told).toEqual(told)
  })

  test('after the expiry is reported as the server reports it', async () => {
    const page = await open({ answer: () => ({ status: 'failed', error: 'timeout' }) })
    await approve(page)
    expect(page.told).toEqual([{ error: 'Request timeout' }])
    expect(page.last()).toEqual({ status: 'problem', problem: 'timeout' })
  })

  test('to confirm an approval signs nothing', async () => {
    const page = await open({ decide: () => ({ state: 'expired' }) })
    await approve(page)
    expect(page.asked).toHaveLength(1)
    expect(page.answers()).toEqual(answered({ type: 'failed' }))
  })
})

test('sends a transaction by the server, and reports it as sent', async () => {
  const serialized = serializeTransaction({
    type: 'eip1559',
    chainId: 1,
    to: '0x1111111111111111111111111111111111111111',
    value: 1n,
    gas: 21_000n,
    maxFeePerGas: 1n,
    maxPriorityFeePerGas: 1n,
    nonce: 0,
  })
  const { keccak256 } = await import('viem')
  const asking = { method: 'eth_signTransaction', params: [serialized, address] }
  const made = keccak256(serialized)
  const hash = `0x${'ab'.repeat(32)}`
  const page = await open({
    read: { ...read, request: asking },
    put: () => ({ digest: made }),
    record: { ...record, request: asking, digest: made },
    answer: () => ({ status: 'completed', result: hash }),
  })
  expect(page.at('review').content.type).toBe('transaction')
  await approve(page)
  expect(page.told).toEqual([{ result: hash }])
  expect(page.last()).toEqual({ status: 'sent' })
})

describe('the window that opened the page', () => {
  // spec W7.17, W7.18
  test('receives the message at each of its origins, if it exists', () => {
    const postMessage = vi.fn()
    notifyOpener({ postMessage }, openerOrigins, { result: '0x1' })
    notifyOpener({ postMessage }, [requester.origin], { error: 'User rejected request' })
    notifyOpener(null, openerOrigins, { result: '0x1' })
    expect(postMessage.mock.calls).toEqual([
      [{ type: 'LATCHKEY_CROSS_APP_ACTION_RESPONSE', result: '0x1' }, 'https://dialog.fieldnotes.example'],
      [{ type: 'LATCHKEY_CROSS_APP_ACTION_RESPONSE', result: '0x1' }, 'https://fieldnotes.example'],
      [
        { type: 'LATCHKEY_CROSS_APP_ACTION_ERROR', error: 'User rejected request' },
        'https://fieldnotes.example',
      ],
    ])
  })
})
