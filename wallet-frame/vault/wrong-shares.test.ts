/** What a creation does when the sharing library is wrong once: a wallet that could not be opened is never made. */
import type * as sharing from 'shamir-secret-sharing'
import { beforeEach, expect, it, vi } from 'vitest'
import { emptyDisk } from '../testing/memory-database.ts'
import { ask, creation, newVault } from '../testing/test-wallet.ts'

const library = vi.hoisted(() => ({ combined: 0, wrongAt: 0 }))
vi.mock('shamir-secret-sharing', async (original) => {
  const { combine, split } = await original<typeof sharing>()
  return {
    split,
    async combine(shares: Uint8Array[]) {
      const value = await combine(shares)
      library.combined += 1
      if (library.combined === library.wrongAt) value[0] = (value[0] ?? 0) ^ 1
      return value
    },
  }
})
beforeEach(() => {
  library.combined = 0
})

const create = (disk = emptyDisk()) => ask(newVault(disk), 'create', creation)

it('a library that is right makes a wallet', async () => {
  library.wrongAt = 0
  expect(await create()).toMatchObject({ address: expect.stringMatching(/^0x/) })
})

// The first three make the shares; one is not computed where the library drew its role's own place by chance.
it.each([1, 2, 3])('a library that is wrong the %dth time makes none, and writes nothing', async (at) => {
  library.wrongAt = at
  const disk = emptyDisk()
  await expect(create(disk)).rejects.toMatchObject({
    code: 'share_mismatch',
    details: { reason: 'wrong_address' },
  })
  expect(disk.records.size).toBe(0)
})
