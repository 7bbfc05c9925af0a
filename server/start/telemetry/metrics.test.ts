/** Metrics of user actions over HTTP: each action counts once, even if its call is repeated. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as v from 'valibot'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { callNode } from '../../integrations/chains/chains.ts'
import { mailer } from '../../integrations/mail/mail.ts'
import { smsVerifier } from '../../integrations/sms/verifier.ts'
import { forEachEngine, rollsBackAtRandom } from '../../kernel/db/test-engines.ts'
import { withTransaction } from '../../kernel/db/transaction.ts'
import { watchKeyAges } from '../../kernel/keys/rotation.ts'
import { afterCommit, countAfterCommit } from '../../kernel/telemetry/after-commit.ts'
import { fetchThirdParty } from '../../kernel/third-party-fetch.ts'
import { newNumber, startTwilio, wrongFor } from '../../login/sms/testing/fixture.ts'
import { openTestTelemetry, type Sample } from '../../testing/telemetry.ts'
import { newHandle } from '../../wallet/confirm/testing/confirming.ts'
import { type ConfirmFixture, confirmFixture } from '../../wallet/confirm/testing/fixture.ts'
import { watchReadiness } from '../health/health.ts'
import { healthLimits } from '../health/limits.ts'

const telemetry = openTestTelemetry()
const twilio = await startTwilio()

/** Returns what the work added to the metrics of these names, with their labels. */
async function added(names: readonly string[], work: () => Promise<unknown>) {
  const sampleKey = ({ name, labels }: Sample) => JSON.stringify([name, labels])
  const read = async () => (await telemetry.samples()).filter(({ name }) => names.includes(name))
  const before = new Map((await read()).map((sample) => [sampleKey(sample), sample.value]))
  await work()
  return (await read()).flatMap((sample) => {
    const more = sample.value - (before.get(sampleKey(sample)) ?? 0)
    return more === 0 ? [] : [{ ...sample.labels, more }]
  })
}
const addedTo = (name: string, work: () => Promise<unknown>) => added([name], work)

forEachEngine((database, engine) => {
  let fixture: ConfirmFixture
  beforeEach(async () => {
    fixture = await confirmFixture(database())
    smsVerifier.set(fixture.context.ports, twilio.verifier)
    await twilio.setFault('none')
  })

  test('a login and its new user count once, even if the call is repeated', async () => {
    const browser = fixture.newBrowser()
    const email = 'new@example.com'
    const code = await browser.codeFor(email)
    const login = () =>
      browser.call('loginWithEmailCode', { body: { email, code }, requestId: 'the-same-request' })
    const names = ['latchkey_logins_total', 'latchkey_users_created_total', 'latchkey_codes_checked_total']
    expect(await added(names, async () => [await login(), await login()])).toEqual([
      { purpose: 'email', channel: 'email', outcome: 'right', more: 1 },
      { method: 'email', outcome: 'success', more: 1 },
      { method: 'email', more: 1 },
    ])
  })

  test('a refused login counts by its error code, and a wrong code as wrong', async () => {
    const browser = fixture.newBrowser()
    const email = 'new@example.com'
    const code = await browser.codeFor(email)
    const wrong = () => browser.call('loginWithEmailCode', { body: { email, code: wrongFor(code) } })
    expect(await addedTo('latchkey_logins_total', wrong)).toEqual([
      { method: 'email', outcome: 'invalid_credentials', more: 1 },
    ])
    expect(await addedTo('latchkey_codes_checked_total', wrong)).toEqual([
      { purpose: 'email', channel: 'email', outcome: 'wrong', more: 1 },
    ])
    const stray = () => fixture.newBrowser().call('loginWithEmailCode', { body: { email, code } })
    expect(await addedTo('latchkey_codes_checked_total', stray)).toEqual([
      { purpose: 'email', channel: 'email', outcome: 'none', more: 1 },
    ])
  })

  test('an OAuth login that fails before the provider is known counts for no provider', async () => {
    await fixture.set(['google_oauth', true])
    const body = {
      authorization_code: 'x',
      state_code: newHandle(),
      code_verifier: newHandle(),
    }
    const failing = async () =>
      expect((await fixture.browser.call('loginWithOAuth', { body })).status).not.toBe(200)
    expect(await addedTo('latchkey_logins_total', failing)).toMatchObject([{ method: 'oauth', more: 1 }])
  })

  test('a code counts as accepted or failed, by channel', async () => {
    const browser = fixture.newBrowser()
    const name = 'latchkey_codes_sent_total'
    const mail = () => browser.call('sendEmailCode', { body: { email: 'eve@example.com' } })
    expect(await addedTo(name, mail)).toEqual([
      { purpose: 'email', channel: 'email', outcome: 'accepted', more: 1 },
    ])
    mailer.set(fixture.context.ports, { send: () => Promise.reject(new Error('No mail today')) })
    expect(await addedTo(name, mail)).toEqual([
      { purpose: 'email', channel: 'email', outcome: 'failed', more: 1 },
    ])
    const sms = () => browser.call('sendSmsCode', { body: { phoneNumber: newNumber() } })
    expect(await addedTo(name, sms)).toEqual([
      { purpose: 'sms', channel: 'sms', outcome: 'accepted', more: 1 },
    ])
    await twilio.setFault('unsubscribed')
    expect(await addedTo(name, sms)).toMatchObject([{ purpose: 'sms', channel: 'sms', more: 1 }])
    expect(await telemetry.sum(name, { channel: 'sms', outcome: 'accepted' })).toBeGreaterThan(0)
  })

  test('wallets, confirmations, releases and signatures count once each', async () => {
    const { browser, message, put, decide } = fixture
    const session = await browser.login('owner@example.com')
    expect(await addedTo('latchkey_wallets_created_total', () => fixture.makeWallet(session))).toEqual([
      { chain: 'ethereum', origin: 'created', more: 1 },
    ])
    const names = [
      'latchkey_confirmations_total',
      'latchkey_signatures_total',
      'latchkey_wallets_releases_total',
    ]
    expect(await added(names, () => fixture.sign(message()))).toEqual(
      expect.arrayContaining([
        { kind: 'message', place: 'frame', outcome: 'asked', more: 1 },
        { kind: 'message', place: 'frame', outcome: 'used', more: 1 },
        { kind: 'message', place: 'frame', more: 1 },
        { purpose: 'sign', more: 1 },
      ]),
    )
    const refuse = async () => {
      const handle = newHandle()
      const { answer } = await put(message('Not this'), { handle, place: 'page' })
      const { digest } = v.parse(v.object({ digest: v.string() }), answer)
      await decide(handle, digest, 'refuse')
      await decide(handle, digest, 'refuse')
    }
    expect(await added(names, refuse)).toEqual([
      { kind: 'message', place: 'page', outcome: 'asked', more: 1 },
      { kind: 'message', place: 'page', outcome: 'refused', more: 1 },
    ])
  })

  test.skipIf(rollsBackAtRandom)(
    'a transaction counts once after retries, and not if it is rolled back',
    async () => {
      const counted: string[] = []
      const { db } = database()
      const transaction = countAfterCommit((work) => withTransaction(db, work))
      let tries = 0
      const serialization = Object.assign(new Error('not serializable'), { code: '40001' })
      const retried = () =>
        transaction(async (trx) => {
          tries += 1
          afterCommit(trx, () => counted.push(`try ${tries}`))
          if (tries < 3) throw serialization
        })
      expect(await addedTo('latchkey_transaction_retries_total', retried)).toEqual([
        { reason: 'not_serializable', more: 2 },
      ])
      expect(counted).toEqual(['try 3'])
      const failing = transaction(async (trx) => {
        afterCommit(trx, () => counted.push('rolled back'))
        throw new Error('changed my mind')
      })
      await expect(failing).rejects.toThrow('changed my mind')
      expect(counted).toEqual(['try 3'])
    },
  )

  test('measures statements by engine and operation', async () => {
    const system = { sqlite: 'sqlite', postgres: 'postgresql' }[engine]
    const name = 'db_client_operation_duration_seconds_count'
    const work = () =>
      database().transaction((trx) => trx.selectFrom('users').select('id').limit(1).execute())
    const lines = await addedTo(name, work)
    expect(lines).toContainEqual({ db_system_name: system, db_operation_name: 'SELECT', more: 1 })
    if (engine !== 'postgres') return
    expect(lines).toContainEqual({ db_system_name: system, db_operation_name: 'COMMIT', more: 1 })
    const state = 'db_client_connection_state'
    const held = await database().transaction(async (trx) => {
      await trx.selectFrom('users').select('id').limit(1).execute()
      return telemetry.sum('db_client_connection_count', { [state]: 'used' })
    })
    expect(held).toBeGreaterThanOrEqual(1)
    expect(await telemetry.sum('db_client_connection_max')).toBeGreaterThanOrEqual(16)
    expect(await telemetry.sum('db_client_connection_pending_requests')).toBe(0)
  })
})

describe('calls', () => {
  forEachEngine((database) => {
    test('measures calls by their route template', async () => {
      const { server, app, browser, context } = await confirmFixture(database())
      const name = 'http_server_request_duration_seconds_count'
      const ask = (path: string, method = 'GET') =>
        server.request(`http://dialog.localhost:4000${path}`, {
          method,
          headers: { host: 'dialog.localhost:4000' },
        })
      const route = '/api/v1/apps/:appId'
      const asked = { http_request_method: 'GET', url_scheme: 'http' }
      expect(await addedTo(name, async () => ask(`/api/v1/apps/${app.id}`))).toEqual([
        { ...asked, http_route: route, http_response_status_code: '200', more: 1 },
      ])
      const missing = async () => [await ask('/no-such-page/1'), await ask('/no-such-page/2', 'PROPFIND')]
      const lines = await addedTo(name, missing)
      expect(lines).toContainEqual({
        http_request_method: '_OTHER',
        url_scheme: 'http',
        http_response_status_code: '404',
        more: 1,
      })
      expect(JSON.stringify(lines)).not.toContain('no-such-page')
      mailer.set(context.ports, { send: () => Promise.reject(new Error('No mail today')) })
      const failing = () => browser.call('sendEmailCode', { body: { email: 'eve@example.com' } })
      expect(await addedTo(name, failing)).toEqual([
        {
          http_request_method: 'POST',
          url_scheme: 'http',
          http_route: '/api/v1/passwordless/init',
          http_response_status_code: '502',
          error_type: 'email_not_sent',
          more: 1,
        },
      ])
      expect(await telemetry.sum('http_server_active_requests')).toBe(0)
    })
  })
})

describe('third parties', () => {
  const server = createServer((request, response) => {
    if (request.url === '/hang') return
    response.writeHead(request.url === '/busy' ? 503 : 200).end('{}')
  }).listen(0, '127.0.0.1')
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const name = 'http_client_request_duration_seconds_count'
  const party = 'a third party'
  const asked = { http_request_method: 'GET', server_address: party }

  test('measures third parties by our label, with their status or error', async () => {
    expect(await addedTo(name, () => fetchThirdParty(url(), { party }))).toEqual([
      { ...asked, http_response_status_code: '200', more: 1 },
    ])
    expect(await addedTo(name, () => fetchThirdParty(`${url()}/busy`, { party }))).toEqual([
      { ...asked, http_response_status_code: '503', error_type: '503', more: 1 },
    ])
    const late = () => fetchThirdParty(`${url()}/hang`, { party, deadlineMs: 50 }).catch(() => {})
    expect(await addedTo(name, late)).toEqual([{ ...asked, error_type: 'TimeoutError', more: 1 }])
    const nobody = () => fetchThirdParty('http://127.0.0.1:1', { party }).catch(() => {})
    expect(await addedTo(name, nobody)).toMatchObject([{ ...asked, more: 1 }])
  })

  test('measures RPC nodes by their chain', async () => {
    const call = { method: 'eth_chainId' }
    const node = (chainId: number) => ({ chainId, url: url() })
    const askTwo = () =>
      Promise.allSettled([10, 8453].map((id) => callNode(node(id), call, AbortSignal.timeout(5_000))))
    const answered = { http_request_method: 'POST', http_response_status_code: '200', more: 1 }
    expect(await addedTo(name, askTwo)).toEqual([
      { ...answered, server_address: 'chain 10' },
      { ...answered, server_address: 'chain 8453' },
    ])
  })
})

test('reports the age of each key in use, by purpose', async () => {
  const createdAt = () => ({ signing: 1_000, sealing: 2_000, pepper: 3_000 })
  const stop = watchKeyAges({ createdAt }, { nowMs: () => 5_000_000 })
  const ages = (await telemetry.samples()).filter(({ name }) => name === 'latchkey_key_age_seconds')
  stop()
  expect(ages.map(({ labels, value }) => [labels.purpose, value])).toEqual([
    ['signing', 4_000],
    ['sealing', 3_000],
    ['pepper', 2_000],
  ])
})

test('reports each readiness check as 1 or 0, and an unresponsive database as 0 before the timeout', async () => {
  const release = { version: '0.1.0', commit: 'unknown' }
  const check = (met: boolean) => ({ met, means: '' })
  const checks = { serving: check(true), database: check(true), keys: check(false), pages: check(true) }
  const stop = watchReadiness(async () => ({ ready: false, release, problems: [], checks }))
  const readChecks = async () =>
    (await telemetry.samples())
      .filter(({ name }) => name === 'latchkey_ready')
      .map(({ labels, value }) => [labels.check, value])
  expect(await readChecks()).toEqual([
    ['serving', 1],
    ['database', 1],
    ['keys', 0],
    ['pages', 1],
  ])
  stop()
  expect(healthLimits.metricsDeadlineMs).toBe(3_000)
  const stopHanging = watchReadiness(() => new Promise(() => {}), 10)
  expect(await readChecks()).toContainEqual(['database', 0])
  stopHanging()
})
