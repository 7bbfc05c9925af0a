/** Signing with a wallet from another app: provider requests, window messages and results for the host page. */
import { createHash } from 'node:crypto'
import { LatchkeyError } from '@latchkey/protocol'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { settle } from '../../../testing/clock.ts'
import { watch } from '../../../testing/fixture.ts'
import { makeAuthAnswer, otherAppId, visitorUser, walletUser } from '../../../testing/fixtures.ts'
import { renderDialog } from '../../../testing/page.tsx'
import {
  account,
  completed,
  connection,
  issuer,
  linkedAddress,
  open,
  owner,
  provider,
  tokens,
} from '../testing.ts'

const toOpen = 'Continue with Ledgerline'
const toConnect = 'Connect Ledgerline'
const waitingTitle = 'Waiting for Ledgerline'
const failedTitle = 'Something went wrong'
const key = privateKeyToAccount(`0x${'0'.repeat(63)}1`)
const response = (result: string) => ({ type: 'LATCHKEY_CROSS_APP_ACTION_RESPONSE', result })
const refusal = (error: string) => ({ type: 'LATCHKEY_CROSS_APP_ACTION_ERROR', error })
const transaction = { to: linkedAddress, value: 5, chainId: 1 }
const hash = `0x${'ab'.repeat(32)}`

type Setup = Parameters<typeof open>[0] & { hasToken?: boolean }

/** Opens a dialog for a user with a linked wallet. Connects it in this browser unless `hasToken` is false. */
async function connected({ hasToken = true, ...options }: Setup = {}) {
  const link = () => ({ ...owner, oauthTokens: tokens })
  const fixture = await open({
    app: { rpcUrls: { '1': ['https://chain.example'] } },
    ...options,
    answers: { linkOAuth: link, ...options.answers },
  })
  const page = renderDialog(fixture)
  if (hasToken) {
    const linked = fixture.more('linkCrossAppAccount', { appId: otherAppId })
    await settle()
    await page.press(toOpen)
    await fixture.relay(completed)
    await linked
    await fixture.clock.advance(2_000)
  }
  return {
    ...fixture,
    page,
    sign(message = 'hello', address = linkedAddress) {
      return watch(fixture.more('signMessage', { message, address }))
    },
  }
}

async function asking(setup: Setup = {}) {
  const fixture = await connected(setup)
  const asked = fixture.sign()
  await settle()
  await fixture.page.press(toOpen)
  return { ...fixture, asked }
}

const bodyOf = (proof: string | null) =>
  JSON.parse(Buffer.from(proof?.split('.')[1] ?? '', 'base64url').toString())

describe('a signature by a connected wallet', () => {
  // spec W7.16
  test('requests a signature once the user opens the window, with only a handle in the URL', async () => {
    const { theirs, window, transport, page, sign } = await connected()
    sign()
    await page.see('Sign with your Ledgerline wallet')
    await page.see('Ledgerline shows you the request, and you confirm it there.')
    expect(document.querySelector(`[title="${linkedAddress}"]`)).not.toBeNull()
    expect(theirs.calls).toEqual([])
    await page.press(toOpen)
    expect(window.windows.at(-1)?.address).toMatch(/^\/cross-app\/start\/[\w-]+$/)
    expect(window.windows.at(-1)?.size).toMatchObject({ popupWidthPx: 400, popupHeightPx: 680 })
    const [asked] = theirs.calls
    expect(asked?.path).toBe('/requests')
    expect(asked?.body).toEqual({ method: 'personal_sign', params: ['0x68656c6c6f', linkedAddress] })
    expect(asked?.headers.get('authorization')).toBe('DPoP access-1')
    expect(bodyOf(asked?.headers.get('dpop') ?? null)).toMatchObject({
      htm: 'POST',
      htu: `${issuer}/requests`,
      ath: createHash('sha256').update('access-1').digest('base64url'),
    })
    expect(transport.calls('openCrossAppWindow')[0]?.body).toMatchObject({
      provider,
      transactUrl: `https://provider.example/oauth/transact/${otherAppId}#${'h'.repeat(43)}`,
    })
  })

  // spec W7.17
  test('returns the signature from the window message to the host page', async () => {
    const { asked, say, clock, page, view, events } = await asking()
    const signature = await key.signMessage({ message: 'hello' })
    await say(response(signature))
    expect(asked.value).toEqual({ signature, address: linkedAddress })
    await page.see('Your Ledgerline wallet has signed.')
    expect(events).toEqual(expect.arrayContaining(['cross_app_request_started', 'cross_app_request_success']))
    await clock.advance(1_400)
    expect(view()?.open).toBe(false)
  })

  test('returns the signature from the provider server if the window sends no message', async () => {
    const { asked, theirs } = await asking()
    const signature = await key.signMessage({ message: 'hello' })
    await theirs.answer({ status: 'completed', result: signature })
    expect(asked.value).toEqual({ signature, address: linkedAddress })
    expect(theirs.calls.at(-1)).toMatchObject({ path: '/requests/result', body: { handle: 'h'.repeat(43) } })
  })

  // spec W5.16
  test('accepts a signature only from the origin that the provider named', async () => {
    const { asked, say, clock, page } = await asking()
    const signature = await key.signMessage({ message: 'hello' })
    for (const origin of ['https://provider.example', 'http://dialog.localhost:4000', 'null']) {
      await say(response(signature), origin)
      await say({ ...refusal('rejected'), token: { action: 'clear' } }, origin)
    }
    await clock.advance(1_000)
    await page.see(waitingTitle)
    expect(asked.settled).toBe(false)
    await say(response(signature), 'https://wallet.provider.example')
    expect(asked.value).toEqual({ signature, address: linkedAddress })
  })

  test.each([
    ['signs another message', () => key.signMessage({ message: 'another' })],
    ['has another format', async () => '0x12'],
  ])('rejects a signature that %s', async (_which, sign) => {
    const { asked, say, page, close } = await asking()
    await say(response(await sign()))
    await page.see(failedTitle)
    await close()
    expect(asked.error).toMatchObject({ code: 'unable_to_sign' })
  })

  test('verifies a signature of typed data', async () => {
    const data = {
      types: { Note: [{ name: 'text', type: 'string' }] },
      primaryType: 'Note' as const,
      domain: { name: 'Demo', chainId: 1 },
      message: { text: 'hello' },
    }
    const { more, page, say, theirs } = await connected()
    const asked = watch(more('signTypedData', { data: JSON.stringify(data), address: linkedAddress }))
    await settle()
    await page.press(toOpen)
    expect(theirs.calls[0]?.body).toMatchObject({
      method: 'eth_signTypedData_v4',
      params: [linkedAddress, expect.any(String)],
    })
    const signature = await key.signTypedData(data)
    await say(response(signature))
    expect(asked.value).toEqual({ signature, address: linkedAddress })
  })

  test('rejects a login message for another site without a card', async () => {
    const { more, frame } = await connected({ hasToken: false })
    const message = `evil.example wants you to sign in with your Ethereum account:\n${linkedAddress}\n\n\nURI: https://evil.example\nVersion: 1\nChain ID: 1\nNonce: 12345678\nIssued At: 2026-01-01T00:00:00Z`
    await expect(more('signMessage', { message, address: linkedAddress })).rejects.toMatchObject({
      code: 'invalid_message',
    })
    expect(frame).toEqual([])
  })
})

describe('a transaction by a connected wallet', () => {
  test('sends a transaction through the provider, and returns its hash to the host page', async () => {
    const { more, page, say, theirs } = await connected()
    const sent = watch(more('sendTransaction', { transaction, address: linkedAddress }))
    await settle()
    await page.see('Send with your Ledgerline wallet')
    await page.press(toOpen)
    expect(theirs.calls[0]?.body).toEqual({
      method: 'eth_sendTransaction',
      params: [{ from: linkedAddress, to: linkedAddress, value: '0x5', data: '0x', chainId: '0x1' }],
    })
    await say(response(hash))
    expect(sent.value).toEqual({
      receipt: { transactionHash: hash, status: null, gasUsed: null, effectiveGasPrice: null },
    })
  })

  // spec W8.29
  test("rejects with 'Transactions require a valid token' without a token, and offers to connect again", async () => {
    const { more, page, close } = await connected({ hasToken: false })
    const sent = watch(more('sendTransaction', { transaction, address: linkedAddress }))
    await settle()
    await page.see('Connect your Ledgerline account again')
    await page.see(/Transactions require a valid token/)
    await close()
    expect(sent.error).toMatchObject({
      code: 'missing_or_invalid_token',
      message: 'Transactions require a valid token',
    })
  })

  test('sends the transaction once the account is connected again', async () => {
    const { more, page, relay, say } = await connected({ hasToken: false })
    const sent = watch(more('sendTransaction', { transaction, address: linkedAddress }))
    await settle()
    await page.press(toConnect)
    await relay(completed)
    await page.press(toOpen)
    await say(response(hash))
    expect(sent.value).toMatchObject({ receipt: { transactionHash: hash } })
  })
})

test('requires the captcha of the app before the window that connects the account again', async () => {
  const { makeDecidedCaptcha } = await import('../../../testing/captcha.ts')
  const captcha = makeDecidedCaptcha()
  const fixture = await connected({ hasToken: false, app: { captchaEnabled: true }, behind: captcha.behind })
  watch(fixture.more('signMessage', { message: 'hello', address: linkedAddress }))
  await settle()
  await fixture.page.press(toConnect)
  expect(fixture.window.windows).toEqual([])
  await captcha.decide({ token: 'captcha-1' })
  await fixture.page.press(toConnect)
  expect(fixture.window.windows).toHaveLength(1)
  expect(fixture.begun).toHaveLength(1)
  expect(fixture.begun[0]).toMatchObject({ token: 'captcha-1' })
})

describe('a request that is rejected without a card', () => {
  test.each([
    // spec W8.28
    [
      'for a wallet that is not connected',
      { user: walletUser },
      'linked_account_not_found',
      'Cannot request a signature with this wallet address',
    ],
    // spec W8.31
    [
      'for an app that is no longer registered',
      { connections: [] },
      'cross_app_connection_not_allowed',
      'Invalid connected app',
    ],
    [
      'for a view-only wallet',
      { connections: [{ ...connection, readOnly: true }] },
      'not_supported',
      'Wallets of Ledgerline sign nothing here: they can only be read',
    ],
    // spec L6.9
    ['from a visitor', { user: null }, 'must_be_authenticated', 'User must be authenticated'],
  ])('rejects a request %s without a card', async (_whose, setup, code, message) => {
    const { sign, frame } = await connected({ hasToken: false, ...setup })
    const asked = sign()
    await settle()
    expect(asked.error).toMatchObject({ code, message: expect.stringContaining(message.slice(0, 10)) })
    if (code !== 'must_be_authenticated') expect(asked.error).toMatchObject({ message })
    expect(frame).toEqual([])
  })
})

describe('a request that fails', () => {
  // spec W7.18, W8.26
  test.each([['rejected'], ['User rejected request']])(
    "rejects with 'User rejected request' if the window sends '%s'",
    async (said) => {
      const { asked, say, view, events } = await asking()
      await say(refusal(said))
      expect(asked.error).toMatchObject({ code: 'user_rejected_request', message: 'User rejected request' })
      expect(view()?.open).toBe(false)
      expect(events).toContain('cross_app_request_error')
    },
  )

  // spec W7.18
  test.each([
    ['timeout', 'client_request_timeout', 'Request timeout', undefined],
    ['Request timeout', 'client_request_timeout', 'Request timeout', undefined],
    ['daily_limit_exceeded', 'unable_to_sign', undefined, { said: 'daily_limit_exceeded' }],
    ['failed', 'unable_to_sign', undefined, { said: 'failed' }],
  ])("rejects with the error that the window sends: '%s'", async (said, code, message, details) => {
    const { asked, say, page, close, events } = await asking()
    await say(refusal(said))
    await page.see(failedTitle)
    expect(events).toContain('cross_app_request_error')
    await close()
    expect(asked.error).toMatchObject({ code, ...(message && { message }), ...(details && { details }) })
  })

  // spec W8.26
  test("offers to reopen a closed window, and rejects with 'User rejected request' if the user leaves", async () => {
    const { asked, window, clock, page, close } = await asking()
    window.windows.at(-1)?.closes()
    await clock.advance(300)
    await page.see('If you closed the Ledgerline window, open it again.')
    expect(page.hasButton('Open again')).toBe(true)
    expect(asked.settled).toBe(false)
    await close()
    expect(asked.error).toMatchObject({ code: 'user_rejected_request', message: 'User rejected request' })
  })

  test('returns a signature that arrives after the window seemed closed', async () => {
    const { asked, window, clock, theirs } = await asking()
    window.windows.at(-1)?.closes()
    await clock.advance(300)
    const signature = await key.signMessage({ message: 'hello' })
    await theirs.answer({ status: 'completed', result: signature })
    expect(asked.value).toMatchObject({ signature })
  })

  // spec W8.27
  test("rejects with 'Request timeout' after two minutes, and shows it to the user", async () => {
    const { asked, clock, page } = await asking()
    await clock.advance(119_999)
    expect(asked.settled).toBe(false)
    await clock.advance(1)
    expect(asked.error).toMatchObject({ code: 'client_request_timeout', message: 'Request timeout' })
    await page.see('Request timeout')
    expect(page.hasButton('Try again')).toBe(false)
  })

  // spec W8.30
  test.each([
    ['the provider refuses it', { status: 400, error: 'daily_limit_exceeded' }],
    ['the provider is broken', { status: 500, error: 'temporarily_unavailable' }],
  ])("rejects with 'Failed to initialize signature request' if %s", async (_why, answer) => {
    const fixture = await connected()
    fixture.theirs.refuse(answer)
    const asked = fixture.sign()
    await settle()
    await fixture.page.press(toOpen)
    await fixture.page.see('Failed to initialize signature request')
    expect(fixture.window.windows.at(-1)?.wasClosed()).toBe(true)
    await fixture.close()
    expect(asked.error).toMatchObject({
      code: 'unable_to_sign',
      message: 'Failed to initialize signature request',
      details: { said: answer.error },
    })
  })

  // spec W8.30
  test("rejects with 'Failed to initialize signature request' if the provider names no secure origin", async () => {
    const fixture = await connected()
    Object.assign(fixture.theirs.made, { window_origin: 'http://wallet.provider.example' })
    const asked = fixture.sign()
    await settle()
    await fixture.page.press(toOpen)
    await fixture.close()
    expect(asked.error).toMatchObject({ message: 'Failed to initialize signature request' })
  })
})

describe('a token that the provider refuses', () => {
  const renewing = {
    refreshCrossAppTokens: () => ({ ...tokens, accessToken: 'access-2', refreshToken: 'refresh-2' }),
  }

  test('renews a refused token once with the same key, and continues the request', async () => {
    const fixture = await connected({ answers: renewing })
    fixture.theirs.refuse({ status: 401, error: 'invalid_token' })
    fixture.sign()
    await settle()
    await fixture.page.press(toOpen)
    const [body] = fixture.transport.calls('refreshCrossAppTokens').map((call) => Object(call.body))
    expect(body).toMatchObject({ provider, refreshToken: 'refresh-1' })
    expect(bodyOf(body.proof)).toMatchObject({ htu: `${issuer}/token` })
    expect(fixture.theirs.calls[1]?.headers.get('authorization')).toBe('DPoP access-2')
    await fixture.page.see(waitingTitle)
  })

  // spec W8.29
  test('deletes a token that cannot be renewed, and offers to connect again', async () => {
    const fixture = await connected({
      answers: {
        refreshCrossAppTokens: () => {
          const details = { status: 401, type: 'ApiError', details: { provider } }
          throw new LatchkeyError('missing_or_invalid_token', 'The connection to this app is over', {
            details,
          })
        },
      },
    })
    fixture.theirs.refuse({ status: 401, error: 'invalid_token' })
    const asked = fixture.sign()
    await settle()
    await fixture.page.press(toOpen)
    await fixture.page.see('Connect your Ledgerline account again')
    await fixture.close()
    expect(asked.error).toMatchObject({ message: 'Transactions require a valid token' })
    expect(await fixture.rows.read(`user-1 ${provider}`)).toBeUndefined()
  })
})

// spec W7.19
describe('the token in a window message', () => {
  test('replaces the stored token', async () => {
    const { say, sign, page, theirs, clock } = await asking()
    await say({
      ...response(await key.signMessage({ message: 'hello' })),
      token: { action: 'set', value: 'access-9' },
    })
    await clock.advance(2_000)
    sign()
    await settle()
    await page.press(toOpen)
    const last = theirs.calls.filter(({ path }) => path === '/requests').at(-1)
    expect(last?.headers.get('authorization')).toBe('DPoP access-9')
  })

  test('deletes the stored token', async () => {
    const { say, rows } = await asking()
    await say({ ...refusal('failed'), token: { action: 'clear' } })
    expect(await rows.read(`user-1 ${provider}`)).toBeUndefined()
  })
})

test.each([
  [
    'a logout',
    async (fixture: Awaited<ReturnType<typeof connected>>) => void (await fixture.session.logout()),
  ],
  [
    'another user',
    async (fixture: Awaited<ReturnType<typeof connected>>) =>
      fixture.session.accept(makeAuthAnswer({ user: { ...visitorUser, id: 'user-2' } })),
  ],
])('deletes provider tokens after %s', async (_whom, end) => {
  const fixture = await connected()
  expect(await fixture.rows.read(`user-1 ${provider}`)).toBeDefined()
  await end(fixture)
  await settle()
  expect(await fixture.rows.read(`user-1 ${provider}`)).toBeUndefined()
  expect([...fixture.browser.store.entries.keys()].filter((name) => name.includes('cross-app'))).toEqual([])
})

describe('the EIP-1193 provider of a connected wallet', () => {
  test('has the address and the app name of the wallet, and signs with it', async () => {
    const { more, page, say } = await connected()
    const state = await more('ethereumState', { announce: true, wallet: linkedAddress })
    expect(state).toEqual({
      chainId: expect.any(Number),
      accounts: [linkedAddress],
      announced: { name: 'Ledgerline', icon: 'https://provider.example/icon.png' },
      linked: { address: linkedAddress, appId: otherAppId, isAnnounced: true },
    })
    const asked = watch(
      more('ethereumRequestForUser', {
        method: 'personal_sign',
        params: ['0x68656c6c6f', linkedAddress],
        wallet: linkedAddress,
      }),
    )
    await settle()
    await page.press(toOpen)
    const signature = await key.signMessage({ message: 'hello' })
    await say(response(signature))
    expect(asked.value).toEqual({ result: signature })
  })

  test('refuses to sign for another account', async () => {
    const { more } = await connected({
      user: { ...owner, linkedAccounts: [...walletUser.linkedAccounts, account] },
    })
    const asked = { method: 'personal_sign', params: ['0x12', `0x${'1'.repeat(40)}`], wallet: linkedAddress }
    await expect(more('ethereumRequestForUser', asked)).resolves.toMatchObject({ refused: { code: 4100 } })
  })

  test('is not available for a view-only wallet', async () => {
    const { more } = await connected({ hasToken: false, connections: [{ ...connection, readOnly: true }] })
    await expect(more('ethereumState', { wallet: linkedAddress })).rejects.toMatchObject({
      code: 'not_supported',
    })
  })
})
