import type { ClientConfig } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { type FixtureOptions, makeFixture } from '../../testing/fixture.ts'
import { appId } from '../../testing/fixtures.ts'

async function toldAt(options: FixtureOptions) {
  const fixture = await makeFixture(options)
  expect(fixture.pageHeard).toEqual([])
  fixture.dialog.meetPage()
  await settle()
  return fixture.pageHeard
}
const confirmPage = {
  address: `http://wallet.localhost:4000/apps/${appId}/confirm`,
  typedDataOnCard: [],
  testNetworks: [],
}
const announced = (data: object) => [{ name: 'provider', data: { ...data, confirmPage } }]

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

test('the icon of the app goes before its logo, and behind a logo of the host', async () => {
  const picture = (letter: string) => `data:image/png;base64,${letter.repeat(8)}`
  const [iconUrl, logoUrl, logo] = [picture('I'), picture('L'), picture('H')]
  const embeddedWallets = { announceProvider: true }
  const told = (app: FixtureOptions['app'], appearance = {}) =>
    toldAt({ ...(app && { app }), config: { appearance, embeddedWallets } })
  expect(await told({ iconUrl, logoUrl })).toEqual(announced({ name: 'Demo', icon: iconUrl }))
  expect(await told({ logoUrl })).toEqual(announced({ name: 'Demo', icon: logoUrl }))
  expect(await told({ iconUrl, logoUrl }, { logo })).toEqual(announced({ name: 'Demo', icon: logo }))
  expect(await told({ iconUrl, logoUrl }, { logo: '' })).toEqual(announced({ name: 'Demo' }))
})

test('one that wants to later on is told then, once, and one that changes something else is not', async () => {
  const fixture = await makeFixture({ config: { appearance: { theme: 'dark' } } })
  const meet = async (config: ClientConfig) => {
    fixture.configure(config)
    fixture.dialog.meetPage()
    fixture.dialog.meetPage()
    await settle()
    return fixture.pageHeard
  }
  expect(await meet({ appearance: { theme: 'light' } })).toEqual([])
  expect(await meet({ embeddedWallets: { announceProvider: true } })).toEqual(announced({ name: 'Demo' }))
  expect(await meet({ embeddedWallets: { announceProvider: false } })).toHaveLength(1)
  expect(await meet({ embeddedWallets: { announceProvider: true } })).toHaveLength(1)
})
