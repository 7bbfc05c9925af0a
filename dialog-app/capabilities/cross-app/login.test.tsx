/** Login and linking with a wallet from another app. */
import { createHash } from 'node:crypto'
import { toUser, type UserRecord } from '@latchkey/protocol'
import type { OAuthResult } from '@latchkey/protocol/api'
import { getByText } from '@testing-library/dom'
import { describe, expect, test, vi } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { refused, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, otherAppId, visitorUser } from '../../testing/fixtures.ts'
import { renderDialog } from '../../testing/page.tsx'
import { completed, connection, issuer, open, owner, provider, tokens, walletOrigin } from './testing.ts'

const waiting = 'Continue in the Ledgerline window that opened.'
const config = { loginMethods: ['email' as const, provider] }
const finished = { loginWithOAuth: () => ({ ...makeAuthAnswer({ user: owner }), oauthTokens: tokens }) }
const app = { appId: otherAppId, name: 'Ledgerline', iconUrl: 'https://provider.example/icon.png' }

async function atLanding(options: Parameters<typeof open>[0] = {}) {
  const fixture = await open({ config, user: null, answers: finished, ...options })
  const login = watch(fixture.login())
  await settle()
  return { ...fixture, page: renderDialog(fixture), asked: login }
}
async function atLink(options: Parameters<typeof open>[0] = {}) {
  const link = () => ({ ...owner, oauthTokens: tokens })
  const fixture = await open({ user: visitorUser, answers: { linkOAuth: link }, ...options })
  const asked = watch(fixture.more('linkCrossAppAccount', { appId: otherAppId }))
  await settle()
  const page = renderDialog(fixture)
  return { ...fixture, page, asked, press: () => page.press('Continue with Ledgerline') }
}

const claimsOf = (proof: string) => JSON.parse(Buffer.from(proof.split('.')[1] ?? '', 'base64url').toString())
const headOf = (proof: string) => JSON.parse(Buffer.from(proof.split('.')[0] ?? '', 'base64url').toString())

describe('a login with a wallet from another app', () => {
  // spec L1.9, W2.31, W7.11
  test('offers a provider with its name and icon if the host page names it', async () => {
    const fixture = await atLanding()
    const page = renderDialog(fixture)
    await page.see('Ledgerline')
    expect(document.querySelector('button img')?.getAttribute('src')).toBe(app.iconUrl)
    expect(fixture.transport.calls('crossAppConnections')).toHaveLength(1)
  })

  test('offers no provider if the host page names none, and sends no request', async () => {
    const fixture = await open({ user: null })
    watch(fixture.login())
    await settle()
    expect(fixture.screen()).toBe('LANDING')
    expect(fixture.transport.calls('crossAppConnections')).toEqual([])
  })

  test('omits a provider that is not registered, and still shows the other methods', async () => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => {})
    const fixture = await atLanding({ connections: [] })
    const page = renderDialog(fixture)
    await page.see(/^Log in/)
    expect(page.hasButton('Ledgerline')).toBe(false)
    expect(fixture.screen()).toBe('LANDING')
    expect(String(told.mock.calls[0])).toContain('Invalid connected app')
    told.mockRestore()
  })

  // spec L1.9, W4.22, W7.11
  test('opens a 400 by 680 window in the click, and stores the tokens bound to a new key', async () => {
    const fixture = await atLanding()
    await fixture.page.press('Ledgerline')
    const [opened] = fixture.window.windows
    expect(opened?.address).toMatch(/^\/oauth\/start\//)
    expect(opened?.size).toMatchObject({ popupWidthPx: 400, popupHeightPx: 680 })
    await fixture.page.see(waiting)
    await fixture.relay(completed)
    const [{ body } = { body: {} }] = fixture.transport.calls('loginWithOAuth')
    const { proof, ...rest } = Object(body)
    expect(rest).toMatchObject({ authorizationCode: 'code-1', provider })
    const { jwk, typ } = headOf(proof)
    expect(typ).toBe('dpop+jwt')
    const { crv, kty, x, y } = jwk
    const thumbprint = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
    expect(fixture.begun[0]).toMatchObject({ provider, proofKey: thumbprint })
    expect(claimsOf(proof)).toMatchObject({ htm: 'POST', htu: `${issuer}/token` })
    expect(claimsOf(proof)).not.toHaveProperty('bth')
    await fixture.page.see('Success')
    // spec L3.3
    expect(fixture.asked.value).toMatchObject({
      loginMethod: provider,
      loginAccount: { type: 'cross_app', subject: 'their-user-1', providerApp: { id: otherAppId } },
    })
    expect(JSON.stringify(fixture.asked.value)).not.toContain('access-1')
    expect(await fixture.rows.read(`user-1 ${provider}`)).toBeDefined()
    expect(fixture.pageHeard.map(({ name }) => name)).not.toContain('oauthTokens')
    expect(fixture.events).toEqual(
      expect.arrayContaining(['cross_app_auth_started', 'cross_app_auth_completed']),
    )
    // spec W4.22
    await fixture.clock.advance(1_399)
    expect(fixture.view()?.open).toBe(true)
    await fixture.clock.advance(1)
    expect(fixture.view()?.open).toBe(false)
  })

  // spec W2.32
  test("shows 'Success', or 'Something went wrong' with a reason and a close button", async () => {
    const fixture = await atLanding()
    await fixture.page.press('Ledgerline')
    await fixture.relay(completed)
    await fixture.page.see('Success')
    const other = await atLanding()
    await other.page.press('Ledgerline')
    await other.relay(() => ({ status: 'failed', error: 'oauth_unexpected' }))
    await other.page.see('Something went wrong')
    // spec W8.23
    await other.page.see('There was an issue connecting your Ledgerline account. Please try again.')
    getByText(document.body, 'Close').click()
    await settle()
    expect(other.view()?.open).toBe(false)
    expect(other.asked.error).toMatchObject({
      message: 'There was an issue connecting your Ledgerline account. Please try again.',
    })
    expect(other.events).toContain('cross_app_auth_error')
  })
})

describe('linking a wallet from another app', () => {
  // spec L1.9, W7.12, W7.13
  test('links the account with the same proof as a login, and returns the user', async () => {
    const { asked, press, relay, transport, rows } = await atLink()
    await press()
    await relay(completed)
    expect(transport.calls('linkOAuth')[0]?.body).toMatchObject({ authorizationCode: 'code-1', provider })
    expect(asked.value).toMatchObject({ user: { linkedAccounts: toUser(owner).linkedAccounts } })
    expect(JSON.stringify(asked.value)).not.toContain('access-1')
    expect(await rows.read(`user-1 ${provider}`)).toBeDefined()
  })

  // spec W8.31
  test('rejects linking an app that is not registered without a card', async () => {
    const fixture = await open({ connections: [] })
    const asked = watch(fixture.more('linkCrossAppAccount', { appId: otherAppId }))
    await settle()
    expect(asked.error).toMatchObject({
      code: 'cross_app_connection_not_allowed',
      message: 'Invalid connected app',
    })
    expect(fixture.frame).toEqual([])
  })

  // spec L6.9
  test('rejects linking and unlinking for a visitor before it loads the app', async () => {
    const fixture = await open({ user: null, connections: [] })
    const asked = [
      watch(fixture.more('linkCrossAppAccount', { appId: otherAppId })),
      watch(fixture.more('unlinkCrossAppAccount', { subject: 'their-user-1' })),
    ]
    await settle()
    const refusal = { code: 'must_be_authenticated' }
    expect(asked.map(({ error }) => error)).toMatchObject([refusal, refusal])
    expect(fixture.frame).toEqual([])
    expect(fixture.window.windows).toEqual([])
  })

  // spec W8.24
  test("offers to reopen a closed window, and rejects with 'User canceled flow' if the user leaves", async () => {
    const { page, asked, press, window, clock, close } = await atLink()
    await press()
    window.windows[0]?.closes()
    await clock.advance(300)
    await page.see('If you closed the Ledgerline window, open it again.')
    expect(asked.settled).toBe(false)
    await close()
    expect(asked.error).toMatchObject({ code: 'exited_link_flow', message: 'User canceled flow' })
  })

  test('links the account if the response arrives after the window seemed closed', async () => {
    const { asked, press, window, clock, relay } = await atLink()
    await press()
    window.windows[0]?.closes()
    await clock.advance(300)
    await relay(completed)
    expect(asked.value).toMatchObject({ user: { id: 'user-1' } })
  })

  type Failing = readonly [why: string, result: (state: string) => OAuthResult, code: string, message: string]
  const failing: readonly Failing[] = [
    // spec W8.33
    [
      'a denial',
      () => ({ status: 'failed', error: 'oauth_user_denied' }),
      'oauth_user_denied',
      'User denied confirmation during cross-app auth flow',
    ],
    // spec W5.13, W8.32
    [
      'a different state',
      () => completed('another'),
      'pkce_state_code_mismatch',
      'Invalid code during cross-app auth flow.',
    ],
    // spec W5.14, W8.32
    [
      'a response without a code',
      (stateCode) => ({ status: 'completed', stateCode, authorizationCode: '' }),
      'pkce_state_code_mismatch',
      'Invalid code during cross-app auth flow.',
    ],
    [
      'a response without a state',
      () => ({ status: 'completed', stateCode: '', authorizationCode: 'code-1' }),
      'pkce_state_code_mismatch',
      'Invalid code during cross-app auth flow.',
    ],
  ]
  test.each(failing)('rejects with a specific message after %s', async (_why, result, code, message) => {
    const { page, asked, press, relay, close, transport } = await atLink()
    await press()
    await relay(result)
    await page.see(message)
    expect(transport.calls('linkOAuth')).toEqual([])
    await close()
    expect(asked.error).toMatchObject({ code, message })
  })

  test('reports an invalid code if the server refuses it (spec W8.32)', async () => {
    const refuse = () => {
      throw refused('invalid_credentials', 422)
    }
    const { page, asked, press, relay, close } = await atLink({ answers: { linkOAuth: refuse } })
    await press()
    await relay(completed)
    await page.see('Invalid code during cross-app auth flow.')
    await close()
    expect(asked.error).toMatchObject({ message: 'Invalid code during cross-app auth flow.' })
  })

  // spec W5.14
  test.each([
    ['its code', { stateCode: 's' }],
    ['its state', { authorizationCode: 'code-1' }],
  ])('rejects a window message without %s', async (_what, said) => {
    const { asked, press, say, close } = await atLink()
    await press()
    await say({ type: 'LATCHKEY_OAUTH_RESPONSE', ...said }, 'http://dialog.localhost:4000')
    await close()
    expect(asked.error).toMatchObject({ message: 'Invalid code during cross-app auth flow.' })
  })

  // spec W5.16
  test('ignores window messages from origins other than the dialog origin', async () => {
    const { page, asked, press, say, begun, transport } = await atLink()
    await press()
    const answer = {
      type: 'LATCHKEY_OAUTH_RESPONSE',
      stateCode: begun[0]?.stateCode,
      authorizationCode: 'code-1',
    }
    for (const origin of ['https://provider.example', walletOrigin, 'null']) {
      await say(answer, origin)
      await say({ type: 'LATCHKEY_OAUTH_ERROR', error: 'oauth_user_denied' }, origin)
    }
    expect(page.has(waiting)).toBe(true)
    expect(transport.calls('linkOAuth')).toEqual([])
    await say(answer, 'http://dialog.localhost:4000')
    expect(asked.value).toMatchObject({ user: { id: 'user-1' } })
  })

  // spec W8.25
  test('times out after two minutes', async () => {
    const { page, asked, press, clock, close } = await atLink()
    await press()
    await clock.advance(119_999)
    expect(page.has(waiting)).toBe(true)
    await clock.advance(1)
    await page.see('Authorization request timed out after 2 minutes.')
    await close()
    expect(asked.error).toMatchObject({
      code: 'client_request_timeout',
      message: 'Authorization request timed out after 2 minutes.',
    })
  })

  // spec W8.23
  test("reports 'There was an issue connecting your {app} account. Please try again.' if the server fails", async () => {
    const { asked, press, relay, close } = await atLink({
      answers: {
        linkOAuth: () => {
          throw refused('oauth_unexpected', 502)
        },
      },
    })
    await press()
    await relay(completed)
    await close()
    expect(asked.error).toMatchObject({
      code: 'oauth_unexpected',
      message: 'There was an issue connecting your Ledgerline account. Please try again.',
    })
  })
})

describe('unlinking a wallet from another app', () => {
  test('sends the refresh token to the server, and deletes the tokens in this browser', async () => {
    const fixture = await atLink({
      answers: { linkOAuth: () => ({ ...owner, oauthTokens: tokens }), unlinkOAuth: () => visitorUser },
    })
    await fixture.press()
    await fixture.relay(completed)
    await fixture.clock.advance(2_000)
    const asked = watch(fixture.more('unlinkCrossAppAccount', { subject: 'their-user-1' }))
    await settle()
    await fixture.page.see('Unlink your Ledgerline account?')
    await fixture.page.press('Unlink')
    expect(fixture.transport.calls('unlinkOAuth')[0]?.body).toEqual({
      provider,
      subject: 'their-user-1',
      refreshToken: 'refresh-1',
    })
    expect(asked.value).toMatchObject({ user: { linkedAccounts: visitorUser.linkedAccounts } })
    expect(await fixture.rows.read(`user-1 ${provider}`)).toBeUndefined()
  })

  test('rejects unlinking an account that the user does not have', async () => {
    const fixture = await open()
    await expect(fixture.more('unlinkCrossAppAccount', { subject: 'nobody' })).rejects.toMatchObject({
      code: 'linked_account_not_found',
    })
  })
})

describe('the linked wallets of other apps', () => {
  async function openWallets(unlinkOAuth: () => UserRecord | Promise<UserRecord>) {
    const fixture = await open({
      connections: [{ ...connection, readOnly: true }],
      answers: { unlinkOAuth },
      app: { emailAuth: true },
    })
    fixture.dialog.runStandalone().catch(() => {})
    const page = renderDialog(fixture)
    await page.press('Wallets of other apps')
    return { ...fixture, page }
  }
  const ask = 'Unlink your Ledgerline account?'

  test('marks view-only wallets, and unlinks a wallet after a confirmation', async () => {
    const { page, screen, transport } = await openWallets(() => visitorUser)
    await page.see('Ledgerline')
    expect(page.texts().join('\n')).toContain('View only')
    await page.press('Unlink your Ledgerline wallet')
    await page.see(ask)
    expect(document.activeElement?.textContent).toBe(ask)
    expect(transport.calls('unlinkOAuth')).toEqual([])
    await page.press('Unlink')
    await page.see('You have not connected any.')
    expect(transport.calls('unlinkOAuth')).toMatchObject([{ body: { provider, subject: 'their-user-1' } }])
    expect(screen()).toBe('CONNECTED_WALLETS_SCREEN')
  })

  test('keeps a wallet linked if the user presses Keep it', async () => {
    const { page, screen, transport } = await openWallets(() => visitorUser)
    await page.press('Unlink your Ledgerline wallet')
    await page.press('Keep it')
    await page.see('Ledgerline')
    await page.press('Back')
    expect(screen()).toBe('SIGNED_IN')
    expect(transport.calls('unlinkOAuth')).toEqual([])
  })

  test.each([
    [
      'it is the only login method',
      'cannot_unlink_sole_account',
      /^This is the only way to log in to your account\./,
    ],
    ['the server fails', 'internal_error', 'It could not be unlinked. Please try again.'],
  ] as const)('keeps a wallet linked if %s', async (_reason, code, problem) => {
    const { page } = await openWallets(() => {
      throw refused(code, 400)
    })
    await page.press('Unlink your Ledgerline wallet')
    await page.press('Unlink')
    await page.see(problem)
    expect(page.has(ask)).toBe(true)
    await page.press('Keep it')
    await page.see('Ledgerline')
  })

  test('unlinks a wallet once, even if the button is pressed twice', async () => {
    const response = Promise.withResolvers<UserRecord>()
    const { page, transport } = await openWallets(() => response.promise)
    await page.press('Unlink your Ledgerline wallet')
    await page.press('Unlink')
    await page.press(/Unlink/)
    response.resolve(visitorUser)
    await page.see('You have not connected any.')
    expect(transport.calls('unlinkOAuth')).toHaveLength(1)
  })
})
