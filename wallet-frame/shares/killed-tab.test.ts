/** A tab that dies between any two steps leaves a wallet that opens: the old one or the new one. */
import { LatchkeyError } from '@latchkey/protocol'
import { verifyMessage } from 'viem/utils'
import { expect, it } from 'vitest'
import { appId, openFrame, type TestFrame } from '../testing/frame.ts'
import { emptyDisk, type MemoryDisk } from '../testing/memory-database.ts'
import { type WalletServer, walletServer } from '../testing/server/wallet-server.ts'
import type { TabDeath } from '../testing/tab-life.ts'

/** Each step is tried twice, each time with separate tabs. */
const MANY_TABS_MS = 60_000

type Scene = {
  server: WalletServer
  disk: MemoryDisk
  address?: string
  /** The record of the share that was on this device before. */
  has: 'nothing' | 'its share' | 'damage'
}

/** Acts like the dialog in the next tab: connects, recovers or creates the wallet, then signs. */
async function openAndSign({ server, disk }: Scene) {
  const frame = openFrame({ server, disk })
  const known = server.walletOf('user_1')?.address
  let recovered = false
  const recover = async (address: string) => {
    recovered = true
    return frame.recover(address)
  }
  if (known === undefined) {
    const created = await frame.create()
    if (!created.onDevice) await recover(created.address)
  } else {
    await frame.connect(known).catch((error: unknown) => {
      if (error instanceof LatchkeyError && error.code === 'wallet_not_on_device') return recover(known)
      throw error
    })
  }
  const address = server.walletOf('user_1')?.address ?? ''
  const { response } = await frame.sign(address, 'still here')
  const isSigned = await verifyMessage({
    address: address as `0x${string}`,
    message: 'still here',
    signature: response.data as `0x${string}`,
  })
  return { address, isSigned, recovered }
}

async function withWallet(): Promise<Scene & { address: string }> {
  const server = await walletServer(appId)
  const disk = emptyDisk()
  const { address } = await openFrame({ server, disk }).create()
  return { server, disk, address, has: 'its share' }
}

const scenes: Record<
  string,
  { prepare: () => Promise<Scene>; act: (frame: TestFrame, scene: Scene) => Promise<unknown> }
> = {
  'the first wallet is created': {
    prepare: async () => ({ server: await walletServer(appId), disk: emptyDisk(), has: 'nothing' }),
    act: (frame) => frame.create(),
  },
  'a wallet is created where a tab died while creating one before': {
    prepare: async () => {
      const scene = { server: await walletServer(appId), disk: emptyDisk(), has: 'nothing' as const }
      scene.server.intercept((path) => {
        if (path === '/wallets/commit') throw new TypeError('lost')
        return undefined
      })
      await openFrame(scene)
        .create()
        .catch(() => undefined)
      scene.server.intercept(() => undefined)
      expect([...scene.disk.records.keys()]).toEqual([expect.stringContaining('pending')])
      return scene
    },
    act: (frame) => frame.create(),
  },
  'a wallet is recovered on a new device': {
    prepare: async () => ({ ...(await withWallet()), disk: emptyDisk(), has: 'nothing' }),
    act: (frame, { address }) => frame.recover(address ?? ''),
  },
  'a wallet is recovered on the device that has it': {
    prepare: withWallet,
    act: (frame, { address }) => frame.recover(address ?? ''),
  },
  'a device whose record is damaged is mended': {
    prepare: async () => {
      const scene = await withWallet()
      scene.disk.records.set('committed:wallet_user_1:1', 'damage')
      return { ...scene, has: 'damage' }
    },
    act: (frame, { address }) => frame.recover(address ?? ''),
  },
  'a device that lost its key is mended': {
    prepare: async () => {
      const scene = await withWallet()
      scene.disk.key = undefined
      return { ...scene, has: 'damage' }
    },
    act: (frame, { address }) => frame.recover(address ?? ''),
  },
}

it.each(Object.keys(scenes))(
  'opens the wallet after a tab died at any step while %s',
  async (name) => {
    const { prepare, act } = scenes[name] ?? {
      prepare: withWallet,
      act: (frame: TestFrame) => frame.create(),
    }
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
        const made = scene.server.walletOf('user_1')?.address ?? 'none'
        const keys = [...scene.disk.records.keys()]
        const isPending = keys.includes(`pending:wallet_user_1:1:${made}`)
        const written = isPending || keys.includes('committed:wallet_user_1:1')
        const { address, isSigned, recovered } = await openAndSign(scene)
        expect(isSigned, `step ${at}, ${when}`).toBe(true)
        // The share of the committed generation is on the device, so nothing is fetched anew.
        const isGood = scene.has === 'damage' ? isPending : written
        if (isGood) expect(recovered, `step ${at}, ${when}`).toBe(false)
        if (scene.has === 'its share') expect(written).toBe(true)
        if (scene.address !== undefined) expect(address).toBe(scene.address)
      }
    }
  },
  MANY_TABS_MS,
)
