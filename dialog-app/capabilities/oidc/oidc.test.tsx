import type { LinkedAccount, UserRecord } from '@latchkey/protocol'
import type { OidcConnection } from '@latchkey/protocol/api'
import { expect, test, vi } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { type FixtureOptions, makeFixture, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser } from '../../testing/fixtures.ts'
import { renderDialog } from '../../testing/page.tsx'
import { makeFakeBrowser } from '../../window-login/testing.ts'
import { capabilities } from '../index.ts'
import { oidcIn } from './oidc.ts'

const issuer = 'https://id.acme.example'
const acme: OidcConnection = { provider: 'oidc:acme', name: 'Acme', issuer }
const times = { verifiedAt: 1, firstVerifiedAt: 1, latestVerifiedAt: 1 }
const account: LinkedAccount = { type: 'oidc', issuer, subject: 'ada', email: 'ada@acme.example', ...times }
const other: LinkedAccount = { ...account, issuer: 'https://id.globex.example', subject: 'ben' }
const member: UserRecord = { ...visitorUser, linkedAccounts: [...visitorUser.linkedAccounts, account, other] }

async function open({
  connections = [acme],
  ...options
}: FixtureOptions & { connections?: OidcConnection[] } = {}) {
  const browser = makeFakeBrowser()
  const begun: string[] = []
  const fixture = await makeFixture({
    app: { emailAuth: true },
    config: { loginMethods: ['email', 'oidc:acme'] },
    capabilities: capabilities.map((each) => (each.name === 'oidc' ? oidcIn(browser) : each)),
    ...options,
    answers: {
      oidcConnections: () => ({ connections }),
      startOAuth: ({ stateCode }) => {
        begun.push(stateCode)
        return { url: 'http://dialog.localhost:4000/oauth/start/handle' }
      },
      oauthResult: () => ({
        status: 'completed',
        authorizationCode: 'code-1',
        stateCode: begun.at(-1) ?? 'none',
      }),
      loginWithOAuth: () => makeAuthAnswer({ user: member }),
      linkOAuth: () => member,
      unlinkOAuth: () => visitorUser,
      ...options.answers,
    },
  })
  const page = renderDialog(fixture)
  const logInAs = async (user: UserRecord) => {
    await fixture.session.start()
    fixture.session.accept(makeAuthAnswer({ user }))
    await settle()
  }
  return { fixture, page, browser, logInAs }
}

test('logs in with a provider that the host page names, and shows no image of it', async () => {
  const { fixture, page, browser } = await open()
  const login = watch(fixture.login())
  await settle()
  await page.see('Acme')
  expect(document.querySelector('img')).toBeNull()
  await page.press('Acme')
  expect(browser.windows).toHaveLength(1)
  expect(fixture.transport.calls('startOAuth')[0]?.body).toMatchObject({ provider: 'oidc:acme' })
  await page.see('Connected to Acme')
  await fixture.clock.advance(1_400)
  expect(login.value).toMatchObject({ loginMethod: 'oidc:acme', loginAccount: { subject: 'ada' } })
})

test('omits a provider that the app does not have', async () => {
  const { fixture, page } = await open({ connections: [] })
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  watch(fixture.login())
  await settle()
  expect(fixture.screen()).toBe('LANDING')
  expect(page.hasButton('Acme')).toBe(false)
  expect(String(log.mock.calls[0])).toContain('the app has no provider oidc:acme')
  log.mockRestore()
})

test('sends no request if the host page names no provider', async () => {
  const { fixture } = await open({ config: {} })
  watch(fixture.login())
  await settle()
  expect(fixture.transport.calls('oidcConnections')).toEqual([])
})

test('links an account, also beside one at another provider', async () => {
  const { fixture, page, logInAs } = await open()
  await logInAs({ ...visitorUser, linkedAccounts: [...visitorUser.linkedAccounts, other] })
  const linked = watch(fixture.link('oidc:acme'))
  await settle()
  await page.see('Link your Acme account')
  await page.press('Continue with Acme')
  expect(linked.value).toMatchObject({ user: { linkedAccounts: expect.arrayContaining([account]) } })
})

test('refuses to link an account at a provider that the app does not have', async () => {
  const { fixture, logInAs } = await open({ connections: [] })
  await logInAs(visitorUser)
  const linked = watch(fixture.link('oidc:acme'))
  await settle()
  expect(linked.error).toMatchObject({ code: 'disallowed_login_method' })
})

test('refuses to link a second account at the same provider', async () => {
  const { fixture, logInAs } = await open()
  await logInAs(member)
  const linked = watch(fixture.link('oidc:acme'))
  await settle()
  expect(linked.error).toMatchObject({ code: 'cannot_link_more_of_type' })
})

test('unlinks an account by issuer and subject', async () => {
  const { fixture, page, logInAs } = await open()
  await logInAs(member)
  const unlinked = watch(fixture.more('unlink', { method: 'oidc:acme', id: 'ada' }))
  await settle()
  await page.see('Unlink your Acme account?')
  await page.press('Unlink')
  expect(fixture.transport.calls('unlinkOAuth').map(({ body }) => body)).toEqual([
    { provider: 'oidc:acme', subject: 'ada', issuer },
  ])
  await fixture.clock.advance(1_400)
  expect(unlinked.value).toMatchObject({ user: { linkedAccounts: visitorUser.linkedAccounts } })
})
