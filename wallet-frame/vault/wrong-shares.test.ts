/** Creations with a sharing library that fails once: no wallet is created that could not be opened. */
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

it('creates a wallet if the library is correct', async () => {
  library.wrongAt = 0
  expect(await create()).toMatchObject({ address: expect.stringMatching(/^0x/) })
})

// The first three calls make the shares; one of them is skipped if the library drew the x of a role by
// chance.
it.each([1, 2, 3])('creates and writes nothing if the library is wrong in its call %d', async (at) => {
  library.wrongAt = at
  const disk = emptyDisk()
  await expect(create(disk)).rejects.toMatchObject({
    code: 'share_mismatch',
    details: { reason: 'wrong_address' },
  })
  expect(disk.records.size).toBe(0)
})
