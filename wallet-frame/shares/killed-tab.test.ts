/** A tab that dies between any two steps leaves a wallet that opens: the old one or the new one, never neither. */
import { LatchkeyError } from '@latchkey/protocol'
import { verifyMessage } from 'viem/utils'
import { expect, it } from 'vitest'
import { appId, openFrame } from '../testing/frame.ts'
import { emptyDisk, type MemoryDisk } from '../testing/memory-database.ts'
import type { TabDeath } from '../testing/tab-life.ts'
import { walletServer } from '../testing/wallet-server.ts'

/** Each step is tried twice, each time with tabs of its own. */
const MANY_TABS_MS = 60_000

type Server = Awaited<ReturnType<typeof walletServer>>
type Frame = ReturnType<typeof openFrame>
type Scene = { readonly server: Server; readonly disk: MemoryDisk; readonly address?: string }

const create = async ({ bridge, accessToken }: Frame) =>
  bridge['wallet:create']({ accessToken: await accessToken() })
const recover = async ({ bridge, accessToken }: Frame, address: string) =>
  bridge['wallet:recover']({ accessToken: await accessToken(), address })
const connect = async ({ bridge, accessToken }: Frame, address: string) =>
  bridge['wallet:connect']({ accessToken: await accessToken(), address })

/** What the dialog does with the next tab: connect, recover if it must, create if there is none. Then sign. */
async function openAndSign({ server, disk }: Scene) {
  const frame = openFrame({ server, disk })
  const known = server.walletOf('user_1')?.address
  if (known === undefined) await create(frame)
  else {
    await connect(frame, known).catch((error: unknown) => {
      if (error instanceof LatchkeyError && error.code === 'wallet_not_on_device')
        return recover(frame, known)
      throw error
    })
  }
  const address = server.walletOf('user_1')?.address ?? ''
  const request = { method: 'personal_sign' as const, params: ['still here', address] }
  const { response } = await frame.bridge['wallet:rpc']({
    accessToken: await frame.accessToken(),
    address,
    request,
  })
  const isSigned = await verifyMessage({
    address: address as `0x${string}`,
    message: 'still here',
    signature: response.data as `0x${string}`,
  })
  return { address, isSigned }
}

async function withWallet(): Promise<Scene & { address: string }> {
  const server = await walletServer(appId)
  const disk = emptyDisk()
  const { address } = await create(openFrame({ server, disk }))
  return { server, disk, address }
}

const scenes: Record<
  string,
  { prepare: () => Promise<Scene>; act: (frame: Frame, scene: Scene) => Promise<unknown> }
> = {
  'the first wallet is created': {
    prepare: async () => ({ server: await walletServer(appId), disk: emptyDisk() }),
    act: create,
  },
  'a wallet is created where a tab died while creating one before': {
    prepare: async () => {
      const scene = { server: await walletServer(appId), disk: emptyDisk() }
      scene.server.intercept((path) => {
        if (path === '/wallets/commit') throw new TypeError('lost')
        return undefined
      })
      await create(openFrame(scene)).catch(() => undefined)
      scene.server.intercept(() => undefined)
      expect([...scene.disk.records.keys()]).toEqual([expect.stringContaining('pending')])
      return scene
    },
    act: create,
  },
  'a wallet is recovered on a new device': {
    prepare: async () => ({ ...(await withWallet()), disk: emptyDisk() }),
    act: (frame, { address }) => recover(frame, address ?? ''),
  },
  'a wallet is recovered on the device that has it': {
    prepare: withWallet,
    act: (frame, { address }) => recover(frame, address ?? ''),
  },
  'a device whose record is damaged is mended': {
    prepare: async () => {
      const scene = await withWallet()
      scene.disk.records.set('ethereum:committed', 'damage')
      return scene
    },
    act: (frame, { address }) => recover(frame, address ?? ''),
  },
  'a device that lost its key is mended': {
    prepare: async () => {
      const scene = await withWallet()
      scene.disk.key = undefined
      return scene
    },
    act: (frame, { address }) => recover(frame, address ?? ''),
  },
}

it.each(Object.keys(scenes))(
  'the wallet opens after a tab died at any step while %s',
  async (name) => {
    const { prepare, act } = scenes[name] ?? { prepare: withWallet, act: create }
    const whole = await prepare()
    const undisturbed = openFrame(whole)
    await act(undisturbed, whole)
    const steps = undisturbed.life.steps()
    expect(steps).toBeGreaterThan(5)

    for (let at = 1; at <= steps; at++) {
      for (const when of ['before it', 'after it'] as const) {
        const death: TabDeath = { at, when }
        const scene = await prepare()
        const dying = openFrame({ ...scene, death })
        await expect(act(dying, scene), `step ${at}, ${when}`).rejects.toThrow()
        expect(dying.life.hasEnded()).toBe(true)
        const { address, isSigned } = await openAndSign(scene)
        expect(isSigned, `step ${at}, ${when}`).toBe(true)
        if (scene.address !== undefined) expect(address).toBe(scene.address)
      }
    }
  },
  MANY_TABS_MS,
)
