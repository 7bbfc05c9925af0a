/** The window from its opening to its end, with a frame and a vault of the test. */
import { toAccountActionText } from '@latchkey/protocol/wallet'
import { describe, expect, test } from 'vitest'
import { testClock } from '../testing/clock.ts'
import { createWindowFlow, type WindowState } from './flow.ts'

const address = '0x52908400098527886E0F7030069857D2E4169EE7'
const sealed = { v: 1, enc: 'AA', ct: 'AA' } as const
const given = {
  wallet: {
    appId: 'a'.repeat(25),
    userId: 'user_1',
    walletId: 'wallet_1',
    kind: 'entropy',
    chain: 'ethereum',
    generation: 1,
    address,
  },
  operation: { id: 'op_1', step: 1 },
  auth: sealed,
  device: sealed,
} as const

async function digestOf(method: 'export' | 'delete-account', of = address) {
  const text = toAccountActionText(method === 'export' ? { method, params: [of] } : { method, params: [] })
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return `0x${Buffer.from(hash).toString('hex')}`
}

function setUp({ isAlone = false } = {}) {
  const clock = testClock()
  const seen: WindowState[] = []
  const said: unknown[] = []
  const vaultCalls: string[] = []
  let isClosed = false
  let isGone = false
  const flow = createWindowFlow({
    clock,
    async findFrame(signal) {
      if (isAlone) {
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
        })
      }
      return {
        async begin(data) {
          said.push(data)
          return { address }
        },
        isGone: () => isGone,
      }
    },
    vault: {
      async begin() {
        vaultCalls.push('begin')
        return { publicKey: 'key-of-this-vault' }
      },
      async open(what) {
        expect(what).toEqual(given)
        vaultCalls.push('open')
        return { forms: ['key', 'phrase'] }
      },
      end: () => void vaultCalls.push('end'),
    },
    show: (state) => seen.push(state),
    closeWindow: () => {
      isClosed = true
    },
  })
  const last = () => seen.at(-1)
  async function until(status: WindowState['status']) {
    const endMs = Date.now() + 10_000
    while (last()?.status !== status) {
      if (Date.now() > endMs) throw new Error(`Nothing came after ${last()?.status}`)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  function goes() {
    isGone = true
  }
  async function review() {
    await flow.start()
    const confirmed = flow.confirm({ digest: await digestOf('export') })
    await until('review')
    return { confirmed }
  }
  return { flow, clock, seen, last, said, vaultCalls, review, isClosed: () => isClosed, goes }
}

describe('the window of an export', () => {
  test('tells the key of its vault, asks for the wallet that it was told, and opens what it is given after a yes', async () => {
    const { flow, last, said, vaultCalls, review } = setUp()
    const { confirmed } = await review()
    expect(said).toEqual([{ publicKey: 'key-of-this-vault' }])
    expect(last()).toEqual({ status: 'review', address })
    flow.approve()
    expect(await confirmed).toEqual({})
    expect(last()).toEqual({ status: 'working' })
    expect(await flow.open(given)).toEqual({})
    expect(last()).toEqual({ status: 'open', address, forms: ['key', 'phrase'] })
    expect(vaultCalls).toEqual(['begin', 'open'])
  })

  test.each([
    ['another wallet', () => digestOf('export', '0x0000000000000000000000000000000000000001')],
    ['another action', () => digestOf('delete-account')],
    ['nothing of this', async () => `0x${'0'.repeat(64)}`],
  ])('asks nobody for a digest of %s', async (_what, digest) => {
    const { flow, last } = setUp()
    await flow.start()
    await expect(flow.confirm({ digest: await digest() })).rejects.toMatchObject({ code: 'invalid_data' })
    expect(last()).toEqual({ status: 'opening' })
  })

  test('is asked once', async () => {
    const { flow, review } = setUp()
    const { confirmed } = await review()
    const digest = await digestOf('export')
    await expect(flow.confirm({ digest })).rejects.toMatchObject({ code: 'not_found' })
    flow.approve()
    await confirmed
    await expect(flow.confirm({ digest })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('takes nothing up before its user said yes', async () => {
    const { flow, vaultCalls, review } = setUp()
    await flow.start()
    // Nobody has asked for it yet.
    flow.approve()
    await expect(flow.open(given)).rejects.toMatchObject({ code: 'not_found' })
    const { confirmed } = await review()
    await expect(flow.open(given)).rejects.toMatchObject({ code: 'not_found' })
    expect(vaultCalls).not.toContain('open')
    confirmed.catch(() => {})
    flow.lose()
  })

  test('whose frame is gone approves nothing, shows nothing, and closes', async () => {
    const { flow, last, clock, vaultCalls, review, isClosed } = setUp()
    const { confirmed } = await review()
    flow.lose()
    await expect(confirmed).rejects.toMatchObject({ code: 'user_rejected_request' })
    flow.approve()
    expect(last()).toEqual({ status: 'gone' })
    expect(vaultCalls).toContain('end')
    await expect(flow.open(given)).rejects.toMatchObject({ code: 'not_found' })
    clock.advance(1_399)
    expect(isClosed()).toBe(false)
    clock.advance(1)
    expect(isClosed()).toBe(true)
  })

  test('notices a frame that went without a word, within a second', async () => {
    const { flow, last, clock, vaultCalls, review, goes } = setUp()
    const { confirmed } = await review()
    flow.approve()
    await confirmed
    await flow.open(given)
    clock.advance(10_000)
    expect(last()).toMatchObject({ status: 'open' })
    goes()
    clock.advance(1_000)
    expect(last()).toEqual({ status: 'gone' })
    expect(vaultCalls).toEqual(['begin', 'open', 'end'])
  })

  test('forgets what it could show when its frame goes', async () => {
    const { flow, last, vaultCalls, review } = setUp()
    const { confirmed } = await review()
    flow.approve()
    await confirmed
    await flow.open(given)
    flow.lose()
    expect(last()).toEqual({ status: 'gone' })
    expect(vaultCalls).toEqual(['begin', 'open', 'end'])
  })

  test('says what did not work, and stays for that', async () => {
    const { flow, last, clock, review, isClosed } = setUp()
    const { confirmed } = await review()
    flow.approve()
    await confirmed
    expect(flow.fail({ code: 'share_mismatch' })).toEqual({})
    flow.lose()
    expect(last()).toEqual({ status: 'over', code: 'share_mismatch' })
    clock.advance(60_000)
    expect(isClosed()).toBe(false)
  })

  test('without a card that asked says that it is alone, after fifteen seconds', async () => {
    const { flow, last, clock } = setUp({ isAlone: true })
    const started = flow.start()
    clock.advance(14_999)
    expect(last()).toEqual({ status: 'opening' })
    clock.advance(1)
    await started
    expect(last()).toEqual({ status: 'alone' })
  })
})

describe('the window of an export that is over', () => {
  async function shown() {
    const window = setUp()
    const { confirmed } = await window.review()
    window.flow.approve()
    await confirmed
    return window
  }

  test('asks nobody any more, though what it is asked for is what it showed', async () => {
    const { flow, last, vaultCalls } = setUp()
    await flow.start()
    flow.lose()
    await expect(flow.confirm({ digest: await digestOf('export') })).rejects.toMatchObject({
      code: 'not_found',
    })
    flow.approve()
    expect(last()).toEqual({ status: 'gone' })
    expect(vaultCalls).toEqual(['begin', 'end'])
  })

  test('takes nothing up, though its user had said yes', async () => {
    const { flow, vaultCalls } = await shown()
    flow.fail({ code: 'share_mismatch' })
    await expect(flow.open(given)).rejects.toMatchObject({ code: 'not_found' })
    expect(vaultCalls).toEqual(['begin', 'end'])
  })

  test('shows nothing of what its vault was opening meanwhile', async () => {
    const { flow, last, seen } = await shown()
    const opening = flow.open(given)
    flow.lose()
    await opening
    expect(last()).toEqual({ status: 'gone' })
    expect(seen.map(({ status }) => status)).not.toContain('open')
  })

  test('stays so, whatever it hears, and looks after its frame no more', async () => {
    const { flow, clock, seen, vaultCalls } = await shown()
    flow.fail({ code: 'share_mismatch' })
    const before = seen.length
    flow.fail({ code: 'error' })
    flow.lose()
    flow.approve()
    clock.advance(1_000)
    expect(seen).toHaveLength(before)
    expect(vaultCalls).toEqual(['begin', 'end'])
    expect(clock.timers()).toBe(0)
  })
})

test('a press on a key that is shown changes nothing', async () => {
  const { flow, last, review } = setUp()
  const { confirmed } = await review()
  flow.approve()
  await confirmed
  await flow.open(given)
  flow.approve()
  expect(last()).toMatchObject({ status: 'open' })
})
