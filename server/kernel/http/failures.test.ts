import { errorCodes, LatchkeyError } from '@latchkey/protocol'
import { Hono } from 'hono'
import { sql } from 'kysely'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { createApp } from '../../start/app.ts'
import { testContext } from '../../testing/context.ts'
import { createTestLog } from '../../testing/fixture.ts'
import type { Database } from '../db/database.ts'
import { forEachEngine, forPostgres } from '../db/test-engines.ts'
import { endpoint } from './endpoint.ts'
import { errorResponse, toLatchkeyError } from './failures.ts'
import { statusForCode } from './statuses.ts'

const respondWith = async (error: unknown) => {
  const app = new Hono().get('/', (c) => errorResponse(c, toLatchkeyError(error)))
  return (await app.request('/')).json()
}

// spec L3.32
test('every failure is returned with a code and a message', async () => {
  expect(errorCodes.length).toBeGreaterThan(100)
  for (const code of errorCodes) {
    expect(await respondWith(new LatchkeyError(code, 'In words'))).toEqual({ code, error: 'In words' })
  }
  for (const bug of [new TypeError('x of undefined'), 'thrown text', undefined]) {
    expect(await respondWith(bug)).toEqual({ code: 'internal_error', error: 'Something went wrong' })
  }
})

test('reports text that the database rejects as invalid data', async () => {
  const refusal = Object.assign(new Error('invalid byte sequence'), { code: '22021' })
  expect(await respondWith(refusal)).toEqual({
    code: 'invalid_data',
    error: 'Something is not as it should be',
    details: { path: '' },
  })
  expect(toLatchkeyError(refusal).cause).toBe(refusal)
})

test('a busy response has a retry-after header', async () => {
  const getRetryAfter = async (error: unknown) => {
    const app = new Hono().get('/', (c) => errorResponse(c, toLatchkeyError(error)))
    return (await app.request('/')).headers.get('retry-after')
  }
  expect(await getRetryAfter(Object.assign(new Error('away'), { code: '57P01' }))).toBe('1')
  expect(await getRetryAfter(new LatchkeyError('invalid_data', 'Wrong'))).toBeNull()
})

/** The statuses that hosts and the dialog rely on. */
const statuses = {
  400: `missing_or_invalid_latchkey_app_id missing_or_invalid_latchkey_client_id invalid_captcha captcha_disabled
    cannot_link_more_of_type linked_to_another_user cannot_unlink_sole_account cannot_unlink_embedded_wallet
    share_malformed not_supported token_already_used invalid_pkce_parameters unsupported_chain_id
    twilio_verification_failed user_unsubscribed oauth_state_mismatch pkce_state_code_mismatch oauth_user_denied
    oauth_account_suspended oauth_unexpected outcome_unknown`,
  401: `must_be_authenticated missing_or_invalid_token missing_or_invalid_mfa expired_or_invalid_mfa_token
    allowlist_rejected`,
  403: `insufficient_scope invalid_origin missing_origin origin_not_allowed disallowed_login_method
    max_accounts_reached device_revoked disallowed_recovery_method cross_app_connection_not_allowed untrusted_proxy
    method_too_new`,
  404: 'not_found embedded_wallet_not_found linked_account_not_found user_does_not_exist',
  408: 'client_request_timeout',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  422: 'invalid_data invalid_credentials invalid_message',
  425: 'request_in_progress',
  429: 'too_many_requests',
  500: 'internal_error',
  502: 'email_not_sent',
  503: 'unavailable',
}

test.each(Object.entries(statuses))('%s is the status of its error codes', (status, codes) => {
  for (const code of codes.split(/\s+/))
    expect([code, statusForCode(code as never)]).toEqual([code, Number(status)])
})

test('other error codes have the status 400', () => {
  expect(statusForCode('wallet_not_on_device')).toBe(400)
})

/** A route without validation of its parameter, so that the database rejects the text. */
const row = {
  method: 'GET',
  path: '/texts/{text}',
  auth: 'none',
  forks: true,
  effect: 'reads',
  appHeader: false,
  output: v.object({}),
} as const

async function openWith(database: Database, answer: (text: string) => Promise<object>) {
  const { log, logged } = createTestLog()
  const context = await testContext(database, { log })
  const texts = { name: 'texts', endpoints: [endpoint(row, ({ params }) => answer(params.text ?? ''))] }
  const server = createApp(context, { isMigrated: async () => true }, [texts])
  const { dialogOrigin } = context.config
  const ask = async (text: string) => {
    const path = `${dialogOrigin}/api/v1/texts/${encodeURIComponent(text)}`
    const answered = await server.request(path, { headers: { host: new URL(dialogOrigin).host } })
    return { status: answered.status, answer: await answered.json() }
  }
  return { ask, logged }
}
const wrongData = { status: 422, answer: { code: 'invalid_data' } }
const warning = { level: 40, pattern: '/api/v1/texts/:text' }

forEachEngine((database) => {
  test('logs rejected text with its route but without its content', async () => {
    const { ask, logged } = await openWith(database(), (text) =>
      Promise.reject(Object.assign(new Error(`invalid byte sequence in ${text}`), { code: '22021' })),
    )
    expect(await ask('a secret\0')).toMatchObject(wrongData)
    expect(logged()).toEqual([expect.objectContaining(warning)])
    expect(JSON.stringify(logged())).not.toContain('secret')
  })

  test('does not log text that a schema rejected', async () => {
    const { ask, logged } = await openWith(database(), () =>
      Promise.reject(new LatchkeyError('invalid_data', 'Too long')),
    )
    expect(await ask('a secret')).toMatchObject(wrongData)
    expect(logged()).toEqual([])
  })
})

forPostgres((database) => {
  test('PostgreSQL rejects text with a NUL only', async () => {
    const { ask, logged } = await openWith(database(), async (text) => {
      await sql`select cast(${text} as text)`.execute(database().db)
      return {}
    })
    expect(await ask('a secret')).toMatchObject({ status: 200 })
    expect(logged()).toEqual([])
    expect(await ask('a secret\0')).toMatchObject(wrongData)
    expect(logged()).toEqual([expect.objectContaining(warning)])
  })
})
