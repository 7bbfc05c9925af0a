import { expect, test } from 'vitest'
import { makeFakeClock } from '../../../testing/clock.ts'
import { makeSettings } from '../../../testing/fixtures.ts'
import { address, metamask } from '../testing.ts'
import { createFoundWallets } from './found-wallets.ts'

test('a late response to an earlier query does not forget which wallet has the wanted account', async () => {
  const early = Promise.withResolvers<void>()
  const waits = [early.promise, Promise.resolve()]
  const { look, holders } = createFoundWallets({
    clock: makeFakeClock(),
    settings: makeSettings,
    page: {
      async findWallets() {
        await waits.shift()
        return { wallets: [metamask] }
      },
      request: async () => ({ result: [address] }),
    },
  })
  const first = look()
  await look(address)
  early.resolve()
  await first
  expect(holders()).toEqual([metamask.id])
})
