/** Tests of a provider that no release has, run in a copy of the project to which it was added. */
import type { AppConfig, SocialProvider } from '@latchkey/protocol'
import type { oauthRoutes, RouteBody } from '@latchkey/protocol/api'
import { expect, test } from 'vitest'
import { beforeNextStepMs } from '../../capabilities/landing/lazy/after-login.ts'
import { nameOfAccount } from '../../capabilities/linking/linking-screens.tsx'
import { texts as linkingTexts } from '../../capabilities/linking/texts.arb'
import { lookOf } from '../../capabilities/oauth/providers.ts'
import { capabilitiesIn } from '../../capabilities/oauth/testing.ts'
import { makeFakeBrowser } from '../../window-login/testing.ts'
import { settle } from '../clock.ts'
import { makeFixture, watch } from '../fixture.ts'
import { makeAuthAnswer } from '../fixtures.ts'
import { renderDialog } from '../page.tsx'

const guest = 'guest' as SocialProvider
const app = { emailAuth: false, guestOauth: true } as Partial<AppConfig>

test('the new provider is on LANDING with its mark, opens its window and logs in', async () => {
  const begun: RouteBody<typeof oauthRoutes.startOAuth>[] = []
  const fixture = await makeFixture({
    answers: {
      startOAuth: (body) => {
        begun.push(body)
        return { url: 'http://dialog.localhost:4000/oauth/start/handle' }
      },
      oauthResult: () => ({
        status: 'completed',
        authorizationCode: 'code-1',
        stateCode: begun[0]?.stateCode ?? 'none',
      }),
      loginWithOAuth: () => makeAuthAnswer(),
    },
    app,
    capabilities: capabilitiesIn(makeFakeBrowser()),
  })
  const login = watch(fixture.login())
  await settle()
  await renderDialog(fixture).press('Guest ID')
  expect(begun).toEqual([expect.objectContaining({ provider: 'guest' })])
  expect(login.value).toMatchObject({ loginMethod: 'guest' })
  expect(lookOf(guest)).toEqual({
    title: 'Guest ID',
    mark: [{ fill: 'currentColor', path: 'M2 2h16v16H2Z' }],
  })
})

test('a title names the new provider', () => {
  expect(nameOfAccount(linkingTexts.in('en'), guest)).toBe('Guest ID account')
})

test('the success screen of the new provider has the usual duration', () => {
  const login = { user: makeAuthAnswer().user, isNewUser: false, loginAccount: null }
  expect(beforeNextStepMs({ ...login, loginMethod: guest })).toBe(1_400)
})
