/** Concurrent tabs of one device end with one wallet, in any order of their steps. */
import { LatchkeyError } from '@latchkey/protocol'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { appId, openFrame, type TestFrame } from '../testing/frame.ts'
import { emptyDisk } from '../testing/memory-database.ts'
import { type WalletServer, walletServer } from '../testing/server/wallet-server.ts'
import { takingTurns } from '../testing/turns.ts'

const MANY_ORDERS_MS = 120_000
const RUNS = 15

async function open(frame: TestFrame, address: string) {
  try {
    return await frame.connect(address)
  } catch (error) {
    if (!(error instanceof LatchkeyError) || error.code !== 'wallet_not_on_device') throw error
    return frame.recover(address)
  }
}

type Scene = {
  server: WalletServer
  frames: TestFrame[]
  together: ReturnType<typeof takingTurns>['together']
}

const inAnyOrder = (tabs: number, run: (scene: Scene) => Promise<void>) =>
  fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat(tabs - 1)), async (choices) => {
      const server = await walletServer(appId)
      const disk = emptyDisk()
      const { life, together } = takingTurns(() => choices.next().value ?? 0)
      const frames = Array.from({ length: tabs }, () => openFrame({ server, disk, life }))
      await run({ server, frames, together })
      expect([...disk.records.keys()]).toEqual(['committed:wallet_user_1:1'])
    }),
    { numRuns: RUNS },
  )

it('ends with one wallet if tabs create it concurrently', { timeout: MANY_ORDERS_MS }, async () => {
  await inAnyOrder(3, async ({ server, frames, together }) => {
    const made = await together(frames.map((frame) => () => frame.create()))
    const address = server.walletOf('user_1')?.address ?? ''
    expect(made.map((wallet) => wallet.address)).toEqual(frames.map(() => address))
    expect(made.filter(({ user }) => user !== null)).toHaveLength(1)
    await together(frames.map((frame) => () => open(frame, address)))
    await together(frames.map((frame) => () => frame.sign(address)))
  })
})

it('ends with one wallet if tabs open a wallet that is new to the device', {
  timeout: MANY_ORDERS_MS,
}, async () => {
  await inAnyOrder(3, async ({ server, frames, together }) => {
    const { address } = await openFrame({ server, disk: emptyDisk() }).create()
    const opened = await together(frames.map((frame) => () => open(frame, address)))
    expect(opened).toEqual(frames.map(() => ({ address })))
    await together(frames.map((frame) => () => frame.sign(address)))
  })
})
