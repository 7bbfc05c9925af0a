import { expect, test } from 'vitest'
import { makeFixture } from '../../testing/fixture.ts'
import { capabilities } from '../index.ts'
import { noWallets } from './no-wallets.ts'
import { siwe } from './siwe.ts'

test('rejects calls for wallets in an app without them', async () => {
  const fixture = await makeFixture({ capabilities: capabilities.filter((one) => one !== siwe) })
  await expect(fixture.more('connectWallet', {})).rejects.toMatchObject({
    code: 'disallowed_login_method',
    message: 'This app has no login by wallet',
  })
})

test('comes after the capability with wallets', () => {
  const order = capabilities.map((one) => one as unknown)
  expect(order.indexOf(siwe)).toBeLessThan(order.indexOf(noWallets))
})
