/** Tabs of one device that do the same at once, in any order of their steps, all end with the one wallet. */
import { LatchkeyError } from '@latchkey/protocol'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { appId, openFrame } from '../testing/frame.ts'
import { emptyDisk } from '../testing/memory-database.ts'
import { takingTurns } from '../testing/turns.ts'
import { walletServer } from '../testing/wallet-server.ts'

const MANY_ORDERS_MS = 120_000
const RUNS = 15

type Frame = ReturnType<typeof openFrame>
type Server = Awaited<ReturnType<typeof walletServer>>

const create = async ({ bridge, accessToken }: Frame) =>
  bridge['wallet:create']({ accessToken: await accessToken() })
const open = async ({ bridge, accessToken }: Frame, address: string) => {
  try {
    return await bridge['wallet:connect']({ accessToken: await accessToken(), address })
  } catch (error) {
    if (!(error instanceof LatchkeyError) || error.code !== 'wallet_not_on_device') throw error
    return bridge['wallet:recover']({ accessToken: await accessToken(), address })
  }
}
const sign = async ({ bridge, accessToken }: Frame, address: string) => {
  const request = { method: 'personal_sign' as const, params: ['hello', address] }
  return bridge['wallet:rpc']({ accessToken: await accessToken(), address, request })
}

type Scene = { server: Server; frames: Frame[]; together: ReturnType<typeof takingTurns>['together'] }

const inAnyOrder = (tabs: number, run: (scene: Scene) => Promise<void>) =>
  fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat(tabs - 1)), async (choices) => {
      const server = await walletServer(appId)
      const disk = emptyDisk()
      const { life, together } = takingTurns(() => choices.next().value ?? 0)
      const frames = Array.from({ length: tabs }, () => openFrame({ server, disk, life }))
      await run({ server, frames, together })
      expect([...disk.records.keys()]).toEqual(['ethereum:committed'])
    }),
    { numRuns: RUNS },
  )

it('when they create', { timeout: MANY_ORDERS_MS }, async () => {
  await inAnyOrder(3, async ({ server, frames, together }) => {
    const made = await together(frames.map((frame) => () => create(frame)))
    const address = server.walletOf('user_1')?.address ?? ''
    expect(made).toEqual(frames.map(() => ({ address })))
    await together(frames.map((frame) => () => sign(frame, address)))
  })
})

it('when they open a wallet that is new to the device', { timeout: MANY_ORDERS_MS }, async () => {
  await inAnyOrder(3, async ({ server, frames, together }) => {
    const { address } = await create(openFrame({ server, disk: emptyDisk() }))
    const opened = await together(frames.map((frame) => () => open(frame, address)))
    expect(opened).toEqual(frames.map(() => ({ address })))
    await together(frames.map((frame) => () => sign(frame, address)))
  })
})
