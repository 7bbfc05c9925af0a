import { LatchkeyError } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { settle } from '../testing/clock.ts'
import { watch } from '../testing/fixture.ts'
import { walletAddress as address } from '../testing/fixtures.ts'
import { openWallet, served } from '../testing/wallet.ts'
import { walletFrameUrl, windowButtonUrl } from './frame.ts'

test('mounts the frame once, ahead of its use', async () => {
  const { wallet, mounted } = openWallet()
  wallet.prepare()
  wallet.prepare()
  await wallet.connect(address)
  expect(mounted).toEqual(['mounted'])
})

// spec W9.3
test.each([15_000, 30_000])('replaces a frame that is not ready within %i ms', async (waitMs) => {
  let comes = false
  const readiness = () => (comes ? Promise.resolve() : new Promise<void>(() => {}))
  const { wallet, mounted, clock } = openWallet(served, readiness)
  const creating = watch(wallet.create({ readyWaitMs: waitMs }))
  await clock.advance(waitMs - 1)
  expect(creating.settled).toBe(false)
  await clock.advance(1)
  expect(creating.error).toMatchObject({ code: 'frame_unresponsive' })
  expect(mounted).toEqual(['mounted', 'unmounted'])
  comes = true
  expect(await wallet.create({ readyWaitMs: waitMs })).toBe(address)
  expect(mounted).toEqual(['mounted', 'unmounted', 'mounted'])
})

test('mounts a closed frame again at the next call', async () => {
  const { wallet, mounted, closers } = openWallet()
  await wallet.connect(address)
  closers[0]?.()
  await settle()
  await wallet.connect(address)
  expect(mounted).toEqual(['mounted', 'unmounted', 'mounted'])
})

test('stops waiting for the frame if the caller aborts, and keeps the frame', async () => {
  const { wallet, mounted } = openWallet(served, () => new Promise(() => {}))
  const caller = new AbortController()
  const connecting = watch(wallet.connect(address, caller))
  const gone = new LatchkeyError('call_cancelled', 'Gone')
  caller.abort(gone)
  await settle()
  expect(connecting.error).toBe(gone)
  expect(mounted).toEqual(['mounted'])
})

test('puts the app, but no token, into the frame URL', () => {
  const frame = { walletOrigin: 'http://wallet.localhost:4000', appId: 'app', analyticsId: 'uuid' }
  const url = 'http://wallet.localhost:4000/apps/app/embedded-wallets?caid=uuid&client_id='
  expect(walletFrameUrl({ ...frame, isolated: false })).toBe(url)
  expect(walletFrameUrl({ ...frame, isolated: true })).toBe(`${url}&coi=1`)
})

test('puts the wallet address into the export button URL (spec W2.26)', () => {
  const place = {
    walletOrigin: 'http://wallet.localhost:4000',
    appId: 'app',
    analyticsId: 'uuid',
    isolated: false,
  }
  const button = new URL(windowButtonUrl(place, 'embedded-wallets/export', 'handle', address))
  expect(Object.fromEntries(button.searchParams)).toEqual({
    caid: 'uuid',
    client_id: '',
    page: 'embedded-wallets/export',
    address,
  })
})
