/** A tab that dies between any two steps of a new recovery leaves the old or the new one, never neither. */
import { expect, it } from 'vitest'
import { appId, openFrame } from '../testing/frame.ts'
import { emptyDisk } from '../testing/memory-database.ts'
import type { TabDeath } from '../testing/tab-life.ts'
import { walletServer } from '../testing/wallet-server.ts'

const MANY_TABS_MS = 240_000
const password = 'correct-horse-battery'

async function withWallet() {
  const server = await walletServer(appId)
  const disk = emptyDisk()
  const { address } = await openFrame({ server, disk }).create()
  return { server, disk, address }
}

it('the wallet opens on this device and on a new one after a tab died at any step', {
  timeout: MANY_TABS_MS,
}, async () => {
  const whole = await withWallet()
  const undisturbed = openFrame(whole)
  await undisturbed.setPassword(whole.address, password)
  const steps = undisturbed.life.steps()
  expect(steps).toBeGreaterThan(8)

  const present = new Set<number>()
  for (let at = 1; at <= steps; at++) {
    for (const when of ['before it', 'after it'] as const) {
      const death: TabDeath = { at, when }
      const said = `step ${at}, ${when}`
      const scene = await withWallet()
      const { server, disk, address } = scene
      const dying = openFrame({ ...scene, death })
      await expect(dying.setPassword(address, password), said).rejects.toThrow()
      expect(dying.life.hasEnded()).toBe(true)
      const { generation = 0, recoveryMethod } = server.walletOf('user_1') ?? {}
      present.add(generation)
      expect(recoveryMethod, said).toBe(generation === 1 ? 'latchkey' : 'user-passcode')

      // This device has its share of whatever the server has, and needs nobody's help.
      const next = openFrame({ server, disk })
      await next.connect(address)
      await next.sign(address)
      const device = openFrame({ server, disk: emptyDisk() })
      if (generation === 1) await device.recover(address)
      else await device.recoverWith(address, password)
      await device.sign(address)
    }
  }
  // Both ends were met.
  expect([...present].sort()).toEqual([1, 2])
})
