import { expect, test } from 'vitest'
import { makeWorld, type WorldOptions } from '../../testing/world.ts'

async function toldAt(options: WorldOptions) {
  const world = await makeWorld(options)
  expect(world.pageHeard).toEqual([])
  await world.dialog.catchUp()
  return world.pageHeard
}
const announced = (data: object) => [{ name: 'provider', data }]

test('a page where users get a wallet is told of the provider, under the name of the app', async () => {
  expect(await toldAt({ app: { embeddedWalletConfig: { createOnLogin: 'all-users' } } })).toEqual(
    announced({ name: 'Demo' }),
  )
  expect(await toldAt({ config: { embeddedWallets: { createOnLogin: 'users-without-wallets' } } })).toEqual(
    announced({ name: 'Demo' }),
  )
})

test('one where they get none is not, unless it wants to; and none is that does not want to', async () => {
  const off = { createOnLogin: 'off' } as const
  const all = { createOnLogin: 'all-users' } as const
  expect(await toldAt({})).toEqual([])
  expect(await toldAt({ config: { embeddedWallets: off } })).toEqual([])
  expect(await toldAt({ config: { embeddedWallets: { ...off, announceProvider: true } } })).toEqual(
    announced({ name: 'Demo' }),
  )
  expect(await toldAt({ config: { embeddedWallets: { ...all, announceProvider: false } } })).toEqual([])
})

test('the logo goes with it where it is in its own address, and is short enough for a message', async () => {
  const config = (logo: string) =>
    ({ appearance: { logo }, embeddedWallets: { announceProvider: true } }) as const
  const icon = 'data:image/png;base64,iVBORw0KGgo='
  expect(await toldAt({ config: config(icon) })).toEqual(announced({ name: 'Demo', icon }))
  for (const logo of ['https://herons.example/logo.png', `data:image/png;base64,${'A'.repeat(32 * 1024)}`]) {
    expect(await toldAt({ config: config(logo) })).toEqual(announced({ name: 'Demo' }))
  }
})
