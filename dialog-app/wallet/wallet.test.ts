import { LatchkeyError } from '@latchkey/protocol'
import { walletContract } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import type { Api } from '../api/client.ts'
import { makeFakeClock, settle } from '../testing/clock.ts'
import { walletAddress } from '../testing/fixtures.ts'
import { watch } from '../testing/world.ts'
import { createWalletFrame, type WalletChannel, walletFrameUrl } from './frame.ts'
import { createWallet } from './wallet.ts'

type Call = keyof typeof walletContract.child
type Serve = (call: Call, data: Record<string, unknown>) => unknown

const publicKey = 'B'.repeat(87)

function setUp(serve: Serve, readiness: () => Promise<void> = async () => {}) {
  const clock = makeFakeClock()
  const log: { call: Call; data: Record<string, unknown> }[] = []
  const mounted: string[] = []
  const closers: (() => void)[] = []
  let tokens = 0
  const api: Api = {
    async call(name, ...[body]) {
      expect([name, body]).toEqual(['walletToken', { publicKey }])
      tokens += 1
      return { token: `wallet-token-${tokens}` } as never
    },
  }
  const frame = createWalletFrame({
    clock,
    mountFrame() {
      mounted.push('mounted')
      return { window: {} as Window, unmount: () => void mounted.push('unmounted') }
    },
    open(_frame, onClose) {
      closers.push(onClose)
      const channel: WalletChannel = {
        ready: readiness(),
        async call(name, data) {
          const row = walletContract.child[name]
          const input = v.parse(row.input, data) as Record<string, unknown>
          if (name === 'iframe:ready') return {} as never
          log.push({ call: name, data: input })
          return v.parse(row.output, name === 'vault:key' ? { publicKey } : await serve(name, input)) as never
        },
        destroy: () => {},
      }
      return channel
    },
  })
  return { clock, log, mounted, closers, frame, wallet: createWallet({ frame, api }) }
}

const address = walletAddress
const served: Serve = (call) =>
  call === 'wallet:rpc' ? { address, response: { method: 'personal_sign', data: '0xsigned' } } : { address }
const failOnce = (code: ConstructorParameters<typeof LatchkeyError>[0], on: Call): Serve => {
  let failed = false
  return (call, data) => {
    if (call !== on || failed) return served(call, data)
    failed = true
    throw new LatchkeyError(code, code)
  }
}

describe('an operation', () => {
  // spec W4.1, W4.9
  test('takes a wallet token of its own, for the key that the vault has now', async () => {
    const { wallet, log } = setUp(served)
    expect(await wallet.create({ readyWaitMs: 15_000 })).toBe(address)
    await wallet.connect(address)
    expect(log).toEqual([
      { call: 'vault:key', data: {} },
      { call: 'wallet:create', data: { accessToken: 'wallet-token-1', recoveryMethod: 'latchkey' } },
      { call: 'vault:key', data: {} },
      { call: 'wallet:connect', data: { accessToken: 'wallet-token-2', address } },
    ])
  })

  test.each([
    ['Hello', '0x48656c6c6f'],
    // The text, not the three bytes that it looks like.
    ['0xdeadbe', '0x3078646561646265'],
  ])('signs %j with personal_sign, message first, as hex', async (message, hex) => {
    const { wallet, log } = setUp(served)
    expect(await wallet.signMessage(address, message)).toBe('0xsigned')
    expect(log.at(-1)?.data).toMatchObject({
      address,
      request: { method: 'personal_sign', params: [hex, address] },
    })
  })

  test.each(['vault_key_unknown', 'frame_reloaded', 'channel_closed'] as const)(
    'that fails with %s is done once more, with another token',
    async (code) => {
      const { wallet, log } = setUp(failOnce(code, 'wallet:create'))
      expect(await wallet.create({ readyWaitMs: 15_000 })).toBe(address)
      const tokens = log.filter(({ call }) => call === 'wallet:create').map(({ data }) => data.accessToken)
      expect(tokens).toEqual(['wallet-token-1', 'wallet-token-2'])
    },
  )

  test('is not done a third time', async () => {
    const always: Serve = () => {
      throw new LatchkeyError('frame_reloaded', 'Again')
    }
    const { wallet, log } = setUp(always)
    await expect(wallet.connect(address)).rejects.toMatchObject({ code: 'frame_reloaded' })
    expect(log.filter(({ call }) => call === 'wallet:connect')).toHaveLength(2)
  })

  test('that fails otherwise is the caller’s to judge', async () => {
    const { wallet, log } = setUp(failOnce('share_mismatch', 'wallet:rpc'))
    await expect(wallet.signMessage(address, 'Hello')).rejects.toMatchObject({ code: 'share_mismatch' })
    expect(log.filter(({ call }) => call === 'wallet:rpc')).toHaveLength(1)
  })
})

describe('the frame', () => {
  test('is mounted once, ahead of its use', async () => {
    const { wallet, mounted } = setUp(served)
    wallet.prepare()
    wallet.prepare()
    await wallet.connect(address)
    expect(mounted).toEqual(['mounted'])
  })

  // spec W9.3
  test.each([15_000, 30_000])(
    'that is not ready in %i ms is given up, and another mounted',
    async (waitMs) => {
      let comes = false
      const { wallet, mounted, clock } = setUp(served, () =>
        comes ? Promise.resolve() : new Promise(() => {}),
      )
      const creating = watch(wallet.create({ readyWaitMs: waitMs }))
      await clock.advance(waitMs - 1)
      expect(creating.settled).toBe(false)
      await clock.advance(1)
      expect(creating.error).toMatchObject({ code: 'frame_unresponsive' })
      expect(mounted).toEqual(['mounted', 'unmounted'])
      comes = true
      expect(await wallet.create({ readyWaitMs: waitMs })).toBe(address)
      expect(mounted).toEqual(['mounted', 'unmounted', 'mounted'])
    },
  )

  test('that died is mounted again at the next call', async () => {
    const { wallet, mounted, closers } = setUp(served)
    await wallet.connect(address)
    closers[0]?.()
    await settle()
    await wallet.connect(address)
    expect(mounted).toEqual(['mounted', 'unmounted', 'mounted'])
  })

  test('has the address of the app in it, and no token', () => {
    const frame = { walletOrigin: 'http://wallet.localhost:4000', appId: 'app', analyticsId: 'uuid' }
    const url = 'http://wallet.localhost:4000/apps/app/embedded-wallets?caid=uuid&client_id='
    expect(walletFrameUrl({ ...frame, isolated: false })).toBe(url)
    expect(walletFrameUrl({ ...frame, isolated: true })).toBe(`${url}&coi=1`)
  })
})
