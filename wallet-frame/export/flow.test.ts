/** The export window from start to end, with a fake frame and vault. */
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

describe('the export window', () => {
  test("reports its vault's key, shows the wallet, and opens the shares after the approval", async () => {
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
  ])('rejects a digest of %s without asking the user', async (_what, digest) => {
    const { flow, last } = setUp()
    await flow.start()
    await expect(flow.confirm({ digest: await digest() })).rejects.toMatchObject({ code: 'invalid_data' })
    expect(last()).toEqual({ status: 'opening' })
  })

  test('asks the user once', async () => {
    const { flow, review } = setUp()
    const { confirmed } = await review()
    const digest = await digestOf('export')
    await expect(flow.confirm({ digest })).rejects.toMatchObject({ code: 'not_found' })
    flow.approve()
    await confirmed
    await expect(flow.confirm({ digest })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('opens nothing before the user has approved', async () => {
    const { flow, vaultCalls, review } = setUp()
    await flow.start()
    // The frame has not asked for the approval yet.
    flow.approve()
    await expect(flow.open(given)).rejects.toMatchObject({ code: 'not_found' })
    const { confirmed } = await review()
    await expect(flow.open(given)).rejects.toMatchObject({ code: 'not_found' })
    expect(vaultCalls).not.toContain('open')
    confirmed.catch(() => {})
    flow.lose()
  })

  test('approves and shows nothing after it lost its frame, and closes', async () => {
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

  test('notices within a second that its frame has gone', async () => {
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

  test('stops showing the key when its frame goes away', async () => {
    const { flow, last, vaultCalls, review } = setUp()
    const { confirmed } = await review()
    flow.approve()
    await confirmed
    await flow.open(given)
    flow.lose()
    expect(last()).toEqual({ status: 'gone' })
    expect(vaultCalls).toEqual(['begin', 'open', 'end'])
  })

  test('shows a failure and stays open', async () => {
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

  test('reports after 15 seconds that no wallet frame was found', async () => {
    const { flow, last, clock } = setUp({ isAlone: true })
    const started = flow.start()
    clock.advance(14_999)
    expect(last()).toEqual({ status: 'opening' })
    clock.advance(1)
    await started
    expect(last()).toEqual({ status: 'alone' })
  })
})

describe('an export window that has ended', () => {
  async function shown() {
    const window = setUp()
    const { confirmed } = await window.review()
    window.flow.approve()
    await confirmed
    return window
  }

  test('rejects an approval request, even for the wallet that it showed', async () => {
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

  test('opens nothing, even after an approval', async () => {
    const { flow, vaultCalls } = await shown()
    flow.fail({ code: 'share_mismatch' })
    await expect(flow.open(given)).rejects.toMatchObject({ code: 'not_found' })
    expect(vaultCalls).toEqual(['begin', 'end'])
  })

  test('shows nothing that its vault opened meanwhile', async () => {
    const { flow, last, seen } = await shown()
    const opening = flow.open(given)
    flow.lose()
    await opening
    expect(last()).toEqual({ status: 'gone' })
    expect(seen.map(({ status }) => status)).not.toContain('open')
  })

  test('stays ended, and stops polling its frame', async () => {
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

test('ignores a press after the key is shown', async () => {
  const { flow, last, review } = setUp()
  const { confirmed } = await review()
  flow.approve()
  await confirmed
  await flow.open(given)
  flow.approve()
  expect(last()).toMatchObject({ status: 'open' })
})
