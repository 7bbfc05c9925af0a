/** A tab that dies between any two steps of a reshare leaves the old or the new recovery usable. */
import { expect, it } from 'vitest'
import { appId, heldPasskey, openFrame } from '../testing/frame.ts'
import { emptyDisk } from '../testing/memory-database.ts'
import { emptyClouds } from '../testing/server/clouds.ts'
import { walletServer } from '../testing/server/wallet-server.ts'
import type { TabDeath } from '../testing/tab-life.ts'

const MANY_TABS_MS = 240_000
const password = 'correct-horse-battery'
const held = heldPasskey('first')

type Frame = ReturnType<typeof openFrame>
const methods = {
  'user-passcode': {
    set: (frame: Frame, address: string) => frame.setPassword(address, password),
    recover: (frame: Frame, address: string) => frame.recoverWith(address, password),
  },
  'google-drive': {
    set: (frame: Frame, address: string) => frame.setFileIn(address, 'google-drive'),
    recover: (frame: Frame, address: string) => frame.recoverBy(address, 'google-drive'),
  },
  icloud: {
    set: (frame: Frame, address: string) => frame.setFileIn(address, 'icloud'),
    recover: (frame: Frame, address: string) => frame.recoverBy(address, 'icloud'),
  },
  passkey: {
    set: (frame: Frame, address: string) => frame.setPasskey(address, held),
    recover: (frame: Frame, address: string) => frame.recoverByPasskey(address, held),
  },
} as const

async function withWallet() {
  const server = await walletServer(appId)
  const [disk, clouds] = [emptyDisk(), emptyClouds()]
  const { address } = await openFrame({ server, disk, clouds }).create()
  return { server, disk, clouds, address }
}

it.each(['user-passcode', 'google-drive', 'icloud', 'passkey'] as const)(
  'opens the wallet on this device and on a new one after a tab died at any step of setting %s',
  {
    timeout: MANY_TABS_MS,
  },
  async (method) => {
    const { set, recover } = methods[method]
    const whole = await withWallet()
    const undisturbed = openFrame(whole)
    await set(undisturbed, whole.address)
    const steps = undisturbed.life.steps()
    expect(steps).toBeGreaterThan(8)

    const present = new Set<number>()
    for (let at = 1; at <= steps; at++) {
      for (const when of ['before it', 'after it'] as const) {
        const death: TabDeath = { at, when }
        const said = `step ${at}, ${when}`
        const scene = await withWallet()
        const { server, disk, clouds, address } = scene
        const dying = openFrame({ ...scene, death })
        const outcome = await set(dying, address).then(
          () => 'set' as const,
          () => 'died' as const,
        )
        // A frame that dies while it deletes the old file has committed the new one, and has reported it.
        if (outcome === 'set') expect(server.walletOf('user_1')?.generation, said).toBe(2)
        expect(dying.life.hasEnded()).toBe(true)
        const { generation = 0, recoveryMethod } = server.walletOf('user_1') ?? {}
        present.add(generation)
        expect(recoveryMethod, said).toBe(generation === 1 ? 'latchkey' : method)

        // This device has a share of the server's current generation, and needs no recovery.
        const next = openFrame({ server, disk, clouds })
        await next.connect(address)
        await next.sign(address)
        const device = openFrame({ server, disk: emptyDisk(), clouds })
        if (generation === 1) await device.recover(address)
        else await recover(device, address)
        await device.sign(address)
      }
    }
    // Both ends were met.
    expect([...present].sort()).toEqual([1, 2])
  },
)
