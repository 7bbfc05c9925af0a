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

test('announces the provider with the app name if users get a wallet on login', async () => {
  expect(await toldAt({ app: { embeddedWalletConfig: { createOnLogin: 'all-users' } } })).toEqual(
    announced({ name: 'Demo' }),
  )
  expect(await toldAt({ config: { embeddedWallets: { createOnLogin: 'users-without-wallets' } } })).toEqual(
    announced({ name: 'Demo' }),
  )
})

test('announces no provider if users get no wallet, unless announceProvider overrides either', async () => {
  const off = { createOnLogin: 'off' } as const
  const all = { createOnLogin: 'all-users' } as const
  expect(await toldAt({})).toEqual([])
  expect(await toldAt({ config: { embeddedWallets: off } })).toEqual([])
  expect(await toldAt({ config: { embeddedWallets: { ...off, announceProvider: true } } })).toEqual(
    announced({ name: 'Demo' }),
  )
  expect(await toldAt({ config: { embeddedWallets: { ...all, announceProvider: false } } })).toEqual([])
})

test('announces the logo only if it is a data URL that fits into a message', async () => {
  const config = (logo: string) =>
    ({ appearance: { logo }, embeddedWallets: { announceProvider: true } }) as const
  const icon = 'data:image/png;base64,iVBORw0KGgo='
  expect(await toldAt({ config: config(icon) })).toEqual(announced({ name: 'Demo', icon }))
  for (const logo of ['https://herons.example/logo.png', `data:image/png;base64,${'A'.repeat(32 * 1024)}`]) {
    expect(await toldAt({ config: config(logo) })).toEqual(announced({ name: 'Demo' }))
  }
})

test('prefers the logo of the host, then the icon of the app, then its logo', async () => {
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

test('announces the provider once after a later configuration enables it, and not after other changes', async () => {
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
