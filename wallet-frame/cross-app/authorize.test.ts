/** What another app may do with a wallet, by the user's answer. */
import { expect, test } from 'vitest'
import { settled, testClock } from '../testing/clock.ts'
import { address, refusal, testApi, testScreen, userWith } from '../testing/cross-app.ts'
import { createAuthorize } from './authorize.ts'
import type { SessionCaller } from './session/session.ts'

const interaction = 'i'.repeat(21)
const requester = { name: 'Fieldnotes', origin: 'https://fieldnotes.example' }
const all = ['openid', 'profile', 'wallet.read', 'wallet.sign', 'wallet.send'] as const
const finishUrl = 'https://dialog.example/apps/x/openid/interaction/finish'
const patient = new AbortController().signal

async function open({
  scopes = all,
  bring = async () => address.toLowerCase(),
  answer = () => ({ finishUrl, secret: 'r'.repeat(43) }),
}: {
  scopes?: readonly (typeof all)[number][]
  bring?: () => Promise<string>
  answer?: () => unknown
} = {}) {
  const clock = testClock()
  const screen = testScreen()
  const submitted: unknown[] = []
  const server = testApi<SessionCaller>({
    '/oauth/verify': () => ({ requester, scopes, expiresInSeconds: 600 }),
    '/oauth/authorization_code': answer,
  })
  const authorize = createAuthorize({
    session: { api: server.api },
    bringWallet: bring,
    clock,
    show: screen.show,
    finishOrigins: ['https://dialog.example', 'https://api.fieldnotes.example'],
    submit: (...given) => void submitted.push(given),
  })
  const outcome = authorize(interaction, userWith(), patient).catch((error: { code: string }) => error.code)
  await settled()
  return { ...screen, clock, server, submitted, outcome }
}
const said = (page: Awaited<ReturnType<typeof open>>) => page.server.calls.at(-1)?.body

test('shows requester, scopes, wallet and account before the user answers', async () => {
  const page = await open()
  expect(page.at('consent')).toMatchObject({ requester, scopes: all, address, account: 'ada@example.org' })
  expect(page.server.calls.map(({ path, body }) => [path, body])).toEqual([
    ['/oauth/verify', { interaction }],
  ])
  expect(page.submitted).toEqual([])
})

test('posts the granted access to the app by a form', async () => {
  const page = await open()
  page.at('consent').allow({ isReadOnly: false, dailyUsd: 250 })
  expect(await page.outcome).toBe('finished')
  expect(said(page)).toEqual({
    decision: 'allow',
    interaction,
    scopes: all,
    address: address.toLowerCase(),
    dailyUsd: 250,
  })
  expect(page.submitted).toEqual([[finishUrl, 'r'.repeat(43)]])
  expect(page.statuses()).toEqual(['consent', 'deciding', 'going-on'])
  page.at('going-on').again()
  expect(page.submitted).toHaveLength(2)
  expect(page.clock.timers()).toBe(0)
})

test('grants no signatures and no amount for read-only access', async () => {
  const page = await open()
  page.at('consent').allow({ isReadOnly: true, dailyUsd: 250 })
  await page.outcome
  expect(said(page)).toMatchObject({ scopes: ['openid', 'profile', 'wallet.read'], dailyUsd: null })
})

test.each([
  [0, 0],
  [12.9, 12],
  [-5, 0],
  [2_000_000, 1_000_000],
])('limits a daily amount of %d to %d', async (given, dailyUsd) => {
  const page = await open()
  page.at('consent').allow({ isReadOnly: false, dailyUsd: given })
  await page.outcome
  expect(said(page)).toMatchObject({ dailyUsd })
})

test('grants no more than the requested scopes', async () => {
  const page = await open({ scopes: ['openid', 'wallet.read', 'wallet.sign'] })
  page.at('consent').allow({ isReadOnly: false, dailyUsd: 100 })
  await page.outcome
  expect(said(page)).toMatchObject({ scopes: ['openid', 'wallet.read', 'wallet.sign'], dailyUsd: null })
})

// spec W8.33
test('denies the request if the user denies or cancels the wallet setup', async () => {
  const denied = await open()
  denied.at('consent').deny()
  expect(await denied.outcome).toBe('finished')
  const canceled = await open({
    bring: async () => {
      throw refusal('user_rejected_request')
    },
  })
  expect(await canceled.outcome).toBe('finished')
  for (const page of [denied, canceled]) {
    expect(said(page)).toEqual({ decision: 'deny', interaction })
    expect(page.submitted).toEqual([[finishUrl, 'r'.repeat(43)]])
  }
})

test('starts over with another account, without an answer', async () => {
  const page = await open()
  page.at('consent').changeAccount()
  expect(await page.outcome).toBe('change-account')
  expect(page.server.paths()).toEqual(['/oauth/verify'])
  expect(page.clock.timers()).toBe(0)
})

test.each(['https://evil.example/finish', 'javascript:alert(1)', 'nothing'])(
  'posts the answer only to our own pages, not to %s',
  async (url) => {
    const page = await open({ answer: () => ({ finishUrl: url, secret: 'r'.repeat(43) }) })
    page.at('consent').deny()
    expect(await page.outcome).toBe('invalid_answer')
    expect(page.submitted).toEqual([])
  },
)

test('expires a request that the user does not answer in time', async () => {
  const page = await open()
  page.clock.advance(599_999)
  expect(page.last()?.status).toBe('consent')
  page.clock.advance(1)
  expect(await page.outcome).toBe('not_found')
})
