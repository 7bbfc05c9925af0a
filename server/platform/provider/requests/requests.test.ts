/** Tests requests of other apps to sign messages and typed data over HTTP: who may request, answer and read the result. */
import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { toHex } from 'viem/utils'
import { beforeEach, describe, expect, test } from 'vitest'
import { forEachEngine, runsAllTests } from '../../../kernel/db/test-engines.ts'
import { endConnection } from '../connections.ts'
import { waitForResult } from './requests.ts'
import { requestTables } from './tables.ts'
import { type RequestFixture, requestFixture, type TestRequester } from './testing/fixture.ts'

const refused = (status: number, error: string) => ({ status, answer: { error } })
const failed = (status: number, code: string) => ({ status, answer: { code } })
const typed = {
  types: {
    EIP712Domain: [{ name: 'name', type: 'string' }],
    Order: [
      { name: 'what', type: 'string' },
      { name: 'count', type: 'uint256' },
    ],
  },
  primaryType: 'Order',
  domain: { name: 'Harbor' },
  message: { what: 'A map', count: '3' },
} as const
const readAnswer = v.object({
  requester: v.unknown(),
  address: v.string(),
  request: v.object({ method: v.string(), params: v.array(v.string()) }),
  opener_origins: v.array(v.string()),
  expires_in_seconds: v.number(),
})

forEachEngine((database, engine) => {
  let fixture: RequestFixture
  let harbor: TestRequester
  let page: Awaited<ReturnType<RequestFixture['newPage']>>
  let address: string
  beforeEach(async () => {
    fixture = await requestFixture(database(), {})
    harbor = await fixture.connect()
    page = await fixture.newPage()
    address = fixture.wallet.address
  })
  const hello = () => [toHex('Hello'), address] as const
  const sign = (message = 'Hello') => fixture.wallet.signMessage({ message })
  const signed = (data: string) => ({ type: 'signed', data })

  describe('the requesting app', () => {
    test('needs a valid token and a proof of its key', async () => {
      const other = await fixture.connect({ clientId: 'other' })
      expect(await harbor.ask('personal_sign', hello(), { token: 'A'.repeat(43) })).toMatchObject(
        refused(401, 'invalid_token'),
      )
      expect(await harbor.ask('personal_sign', hello(), { key: other.key })).toMatchObject(
        refused(401, 'invalid_token'),
      )
      await endConnectionOf(harbor)
      const ended = await harbor.ask('personal_sign', hello())
      expect(ended).toMatchObject(refused(401, 'invalid_token'))
      expect(ended.headers.get('www-authenticate')).toBe('DPoP error="invalid_token"')
    })

    test('needs the scope for the request', async () => {
      const reader = await fixture.connect({ clientId: 'reader', scopes: ['openid', 'wallet.read'] })
      const sender = await fixture.connect({ clientId: 'sender', scopes: ['openid', 'wallet.send'] })
      for (const from of [reader, sender]) {
        expect(await from.ask('personal_sign', hello())).toMatchObject(refused(403, 'insufficient_scope'))
        expect(await from.ask('eth_signTypedData_v4', [address, typed])).toMatchObject(
          refused(403, 'insufficient_scope'),
        )
      }
      const signer = await fixture.connect({ clientId: 'signer', scopes: ['openid', 'wallet.sign'] })
      expect(await signer.ask('eth_sendTransaction', [{ chainId: '0x1' }])).toMatchObject(
        refused(403, 'insufficient_scope'),
      )
      expect(await signer.ask('personal_sign', hello())).toMatchObject({ status: 200 })
    })

    test('can only request signatures of the connected wallet', async () => {
      const another = `0x${'12'.repeat(20)}`
      expect(await harbor.ask('personal_sign', [toHex('Hello'), another])).toMatchObject(
        refused(403, 'wallet_not_connected'),
      )
      expect(await harbor.ask('eth_signTypedData_v4', [another, typed])).toMatchObject(
        refused(403, 'wallet_not_connected'),
      )
      expect(await harbor.ask('eth_sendTransaction', [{ from: another, chainId: '0x1' }])).toMatchObject(
        refused(403, 'wallet_not_connected'),
      )
    })

    test('can have five pending requests until they expire', async () => {
      const other = await fixture.connect({ clientId: 'other' })
      for (let count = 0; count < 5; count += 1) await harbor.made('personal_sign', hello())
      expect(await harbor.ask('personal_sign', hello())).toMatchObject(refused(429, 'too_many_requests'))
      expect(await other.ask('personal_sign', hello())).toMatchObject({ status: 200 })
      fixture.context.clock.advanceSeconds(120)
      expect(await harbor.ask('personal_sign', hello())).toMatchObject({ status: 200 })
    })

    test('gets five of many concurrent requests accepted', async () => {
      const made = await Promise.all(Array.from({ length: 8 }, () => harbor.ask('personal_sign', hello())))
      expect(made.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
    })
  })

  describe('the cross-app page', () => {
    // spec W7.16
    test('that reads a request first is the only one that can answer it', async () => {
      const handle = await harbor.made('personal_sign', hello())
      const second = await fixture.newPage()
      expect(await page.read(handle)).toMatchObject({ status: 200 })
      expect(await page.read(handle)).toMatchObject({ status: 200 })
      expect(await second.read(handle)).toMatchObject(failed(400, 'token_already_used'))
      expect(await second.answer(handle, { type: 'rejected' })).toMatchObject(
        failed(400, 'token_already_used'),
      )
      expect(await page.answer(handle, signed(await sign()))).toMatchObject({ status: 200 })
    })

    test('must read a request before it answers', async () => {
      const handle = await harbor.made('personal_sign', hello())
      expect(await page.answer(handle, signed(await sign()))).toMatchObject(failed(404, 'not_found'))
      await page.read(handle)
      expect(await page.answer(handle, signed(await sign()))).toMatchObject({ status: 200 })
    })

    test('one of several concurrent readers gets the request', async () => {
      const handle = await harbor.made('personal_sign', hello())
      const pages = await Promise.all(Array.from({ length: 3 }, () => fixture.newPage()))
      const read = await Promise.all(pages.map((each) => each.read(handle)))
      expect(read.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    })

    test('of another user, or a dialog, can neither read nor answer', async () => {
      const handle = await harbor.made('personal_sign', hello())
      const eve = await fixture.dialog.login('eve@example.com')
      const theirs = await fixture.newPage(eve.user.id)
      expect(await theirs.read(handle)).toMatchObject(failed(404, 'not_found'))
      expect(await theirs.answer(handle, { type: 'rejected' })).toMatchObject(failed(404, 'not_found'))
      const { token } = fixture.session
      const body = { handle }
      expect(await fixture.dialog.call('readCrossAppRequest', { token, body })).toMatchObject(
        failed(403, 'insufficient_scope'),
      )
      const answer = { handle, answer: { type: 'rejected' } }
      expect(await fixture.dialog.call('answerCrossAppRequest', { token, body: answer })).toMatchObject(
        failed(403, 'insufficient_scope'),
      )
      expect(await page.read(handle)).toMatchObject({ status: 200 })
    })

    test('rejects an unknown handle and one of an ended connection', async () => {
      expect(await page.read(randomBytes(32).toString('base64url'))).toMatchObject(failed(404, 'not_found'))
      const handle = await harbor.made('personal_sign', hello())
      const second = await harbor.made('personal_sign', hello())
      await page.read(second)
      await endConnectionOf(harbor)
      expect(await page.read(handle)).toMatchObject(failed(404, 'not_found'))
      expect(await page.answer(second, signed(await sign()))).toMatchObject(failed(404, 'not_found'))
    })

    test('reads nothing after 120 s, and a later response is too late', async () => {
      const handle = await harbor.made('personal_sign', hello())
      const unread = await harbor.made('personal_sign', hello())
      await page.read(handle)
      fixture.context.clock.advanceSeconds(120)
      const timeout = { status: 200, answer: { status: 'failed', error: 'timeout' } }
      expect(await page.read(handle)).toMatchObject(failed(404, 'not_found'))
      expect(await page.read(unread)).toMatchObject(failed(404, 'not_found'))
      expect(await page.answer(handle, signed(await sign()))).toMatchObject(timeout)
      expect(await page.answer(handle, { type: 'rejected' })).toMatchObject(timeout)
      for (const each of [handle, unread]) expect(await harbor.result(each)).toMatchObject(timeout)
      expect((await harbor.connection()).last_used_at).toBeNull()
    })

    test.each(['rejected', 'failed'] as const)('reports a %s request', async (type) => {
      const handle = await harbor.made('personal_sign', hello())
      await page.read(handle)
      const answered = { status: 200, answer: { status: 'failed', error: type } }
      expect(await page.answer(handle, { type })).toMatchObject(answered)
      expect(await harbor.result(handle)).toMatchObject(answered)
      expect(await page.answer(handle, signed(await sign()))).toMatchObject(failed(400, 'token_already_used'))
      expect(await page.read(handle)).toMatchObject(failed(400, 'token_already_used'))
      expect((await harbor.connection()).last_used_at).toBeNull()
    })

    test('answers once, and a retry after a lost response returns the same', async () => {
      const handle = await harbor.made('personal_sign', hello())
      await page.read(handle)
      const signature = await sign()
      const first = await page.answer(handle, signed(signature), 'the-same-call')
      expect(first).toMatchObject({ status: 200 })
      const again = await page.answer(handle, signed(signature), 'the-same-call')
      expect(again.answer).toEqual(first.answer)
      expect(await page.answer(handle, signed(signature))).toMatchObject(failed(400, 'token_already_used'))
      expect(await page.answer(handle, { type: 'rejected' })).toMatchObject(failed(400, 'token_already_used'))
      expect(await harbor.result(handle)).toMatchObject({ answer: { result: signature } })
    })

    test('one of two concurrent answers counts', async () => {
      const handle = await harbor.made('personal_sign', hello())
      await page.read(handle)
      const answers = await Promise.all([
        page.answer(handle, { type: 'rejected' }),
        page.answer(handle, signed(await sign())),
        page.answer(handle, { type: 'failed' }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    })

    test('accepts only a signature of the connected wallet over the request', async () => {
      const handle = await harbor.made('personal_sign', hello())
      await page.read(handle)
      const stranger = await (await import('viem/accounts')).privateKeyToAccount(`0x${'11'.repeat(32)}`)
      const right = await sign()
      const wrong = [
        await sign('Hello!'),
        await stranger.signMessage({ message: 'Hello' }),
        `${right}00`,
        right.slice(0, -2),
        `${right.slice(0, -2)}00`,
        `0x${'00'.repeat(64)}1b`,
        '0x',
      ]
      for (const data of wrong) {
        expect(await page.answer(handle, signed(data))).toMatchObject({
          status: 422,
          answer: { code: 'invalid_data' },
        })
      }
      expect(await page.answer(handle, signed(right))).toMatchObject({ status: 200 })
    })
  })

  test('the activity lists each use with the registered name', async () => {
    const handle = await harbor.made('personal_sign', hello())
    const rejected = await harbor.made('personal_sign', hello())
    for (const each of [handle, rejected]) await page.read(each)
    await page.answer(handle, signed(await sign()))
    await page.answer(rejected, { type: 'rejected' })
    expect(await page.used()).toEqual(['Harbor'])
    const rows = await fixture.context.db
      .selectFrom('audit_log')
      .select(['event', 'user_id'])
      .where('event', 'in', ['connected_app.used', 'connected_app.declined'])
      .orderBy('event')
      .execute()
    expect(rows).toEqual([
      { event: 'connected_app.declined', user_id: fixture.userId },
      { event: 'connected_app.used', user_id: fixture.userId },
    ])
  })

  async function endConnectionOf(of: TestRequester) {
    const row = await of.connection()
    await fixture.context.transaction((trx) => endConnection(trx, fixture.context.clock, row, 'operator'))
  }

  if (!runsAllTests(engine)) return

  test('a message is requested, read and signed, and the app receives the signature', async () => {
    const made = await harbor.ask('personal_sign', hello())
    expect(made).toMatchObject({
      status: 200,
      answer: {
        handle: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        transact_url: `${fixture.context.config.dialogOrigin}/oauth/transact/${fixture.app.id}`,
        window_origin: fixture.context.config.walletOrigin,
        expires_in: 120,
      },
    })
    const { handle } = v.parse(v.object({ handle: v.string() }), made.answer)
    expect(await page.read(handle)).toMatchObject({
      status: 200,
      answer: {
        requester: { name: 'Harbor', origin: 'https://harbor.example' },
        address,
        request: { method: 'personal_sign', params: [toHex('Hello'), address] },
        opener_origins: ['https://harbor.example', 'https://dialog.harbor.example'],
        expires_in_seconds: 120,
      },
    })
    const signature = await sign()
    const waiting = harbor.result(handle)
    const completed = { status: 200, answer: { status: 'completed', result: signature } }
    expect(await page.answer(handle, signed(signature))).toMatchObject(completed)
    expect(await waiting).toMatchObject(completed)
    expect(await harbor.result(handle)).toMatchObject(completed)
    expect((await harbor.connection()).last_used_at).toBe(Math.floor(fixture.context.clock.nowMs() / 1_000))
  })

  test('a text is requested as text, and shown to the wallet as the hex of its bytes', async () => {
    const handle = await harbor.made('personal_sign', ['Grüße', address.toLowerCase()])
    const { request } = v.parse(readAnswer, (await page.read(handle)).answer)
    expect(request.params).toEqual([toHex('Grüße'), address])
    expect(await page.answer(handle, signed(await sign('Grüße')))).toMatchObject({ status: 200 })
  })

  test.each([
    ['an object', (data: object) => data],
    ['a text', (data: object) => JSON.stringify(data)],
  ])('typed data is accepted as %s, and shown with its hash', async (_form, written) => {
    const handle = await harbor.made('eth_signTypedData_v4', [address, written(typed)])
    const { request } = v.parse(readAnswer, (await page.read(handle)).answer)
    const [of, json = '', digest] = request.params
    expect([of, JSON.parse(json), digest]).toEqual([
      address,
      typed,
      expect.stringMatching(/^0x[0-9a-f]{64}$/),
    ])
    const { message, ...rest } = typed
    const signature = await fixture.wallet.signTypedData({ ...rest, message: { ...message, count: 3n } })
    expect(await page.answer(handle, signed(signature))).toMatchObject({ status: 200 })
    expect(await harbor.result(handle)).toMatchObject({ answer: { result: signature } })
  })

  describe('a body', () => {
    test.each<[string, string]>([
      ['that is not JSON', '{'],
      ['without a method', '{}'],
      ['of another method', '{"method":"eth_sign","params":["0x00","0x00"]}'],
      ['with a method that is not in the table', '{"method":"constructor","params":[]}'],
      ['without its parameters', '{"method":"personal_sign","params":["Hello"]}'],
      ['with a parameter of another type', '{"method":"personal_sign","params":[1,"0x00"]}'],
      ['of null', 'null'],
    ])('%s is rejected', async (_what, text) => {
      expect(await harbor.askRaw(text)).toMatchObject(refused(400, 'invalid_request'))
    })

    test('of more than 256 KiB is rejected, and a smaller one is read', async () => {
      const of = (length: number) =>
        JSON.stringify({ method: 'personal_sign', params: ['a'.repeat(length), address] })
      expect(await harbor.askRaw(of(256 * 1024))).toMatchObject({
        status: 400,
        answer: { error: 'invalid_request', error_description: 'A body may have at most 262144 bytes' },
      })
      expect(await harbor.askRaw(of(250 * 1024))).toMatchObject({
        status: 400,
        answer: { error: 'invalid_request', error_description: 'The message is too long to sign' },
      })
    })

    test('of another media type is rejected', async () => {
      const called = { headers: { 'content-type': 'text/plain' } }
      expect(await harbor.ask('personal_sign', hello(), called)).toMatchObject(
        refused(400, 'invalid_request'),
      )
    })

    test.each<[string, (address: string) => readonly [string, readonly unknown[]]]>([
      ['an empty message', (own) => ['personal_sign', ['', own]]],
      ['half a byte', (own) => ['personal_sign', ['0xabc', own]]],
      ['invalid typed data', (own) => ['eth_signTypedData_v4', [own, '{"types":{}}']]],
      [
        'typed data with a value of another type',
        (own) => ['eth_signTypedData_v4', [own, { ...typed, message: { what: 1, count: '3' } }]],
      ],
    ])('with %s is rejected', async (_what, asked) => {
      expect(await harbor.ask(...asked(address))).toMatchObject(refused(400, 'invalid_request'))
    })

    test("with a login message for another site is rejected, and for the app's own site accepted", async () => {
      const of = (domain: string) =>
        `${domain} wants you to sign in with your Ethereum account:\n${address}\n\nHello`
      expect(await harbor.ask('personal_sign', [of('bank.example'), address])).toMatchObject(
        refused(400, 'invalid_request'),
      )
      expect(await harbor.ask('personal_sign', [toHex(of('bank.example')), address])).toMatchObject(
        refused(400, 'invalid_request'),
      )
      for (const bytes of [
        Buffer.of(0xff, 0x0a, ...Buffer.from(of('bank.example'))),
        Buffer.of(...Buffer.from(of('bank.example')), 0xff),
      ]) {
        expect(await harbor.ask('personal_sign', [toHex(bytes), address])).toMatchObject(
          refused(400, 'invalid_request'),
        )
      }
      expect(await harbor.ask('personal_sign', [of('harbor.example'), address])).toMatchObject({
        status: 200,
      })
    })
  })

  describe('pages of other origins', () => {
    test('of registered origins can call from a browser, and others cannot', async () => {
      const own = await fixture.preflight('https://dialog.harbor.example')
      expect(own.status).toBe(204)
      expect(Object.fromEntries(own.headers)).toMatchObject({
        'access-control-allow-origin': 'https://dialog.harbor.example',
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'authorization, content-type, dpop',
        vary: 'origin',
      })
      expect(own.headers.get('access-control-allow-credentials')).toBeNull()
      expect((await fixture.preflight('https://harbor.example', '/result')).status).toBe(204)
      for (const stranger of ['https://evil.example', 'https://harbor.example.evil.example', 'null', null]) {
        const answered = await fixture.preflight(stranger)
        expect(answered.status).toBe(403)
        expect(answered.headers.get('access-control-allow-origin')).toBeNull()
      }
    })

    test('lets registered origins read responses, including errors', async () => {
      for (const asked of [hello(), ['', address]] as const) {
        const { headers } = await harbor.ask('personal_sign', asked)
        expect(headers.get('access-control-allow-origin')).toBe('https://dialog.harbor.example')
        expect(headers.get('cache-control')).toBe('no-store')
      }
    })

    test('cannot use a token of another app, and unregistered pages cannot use any', async () => {
      await fixture.connect({
        clientId: 'other',
        origin: 'https://other.example',
        redirect: 'https://other.example/callback',
      })
      for (const origin of ['https://other.example', 'https://evil.example']) {
        const answered = await harbor.ask('personal_sign', hello(), { origin })
        expect(answered).toMatchObject(refused(401, 'invalid_token'))
        expect(answered.headers.get('access-control-allow-origin')).toBeNull()
      }
      const { db } = fixture.context
      expect(await requestTables(db).selectFrom('cross_app_requests').selectAll().execute()).toEqual([])
      // A server has no page.
      expect(await harbor.ask('personal_sign', hello(), { origin: null })).toMatchObject({ status: 200 })
    })

    test("can call the dialog's hostname and the app's own", async () => {
      const host = 'api.fieldnotes.example'
      expect(await harbor.ask('personal_sign', hello(), { host })).toMatchObject({ status: 404 })
      const wallet = new URL(fixture.context.config.walletOrigin).host
      expect(await harbor.ask('personal_sign', hello(), { host: wallet })).toMatchObject({ status: 404 })
      await fixture.set(['custom_api_url', `https://${host}`])
      expect(await harbor.ask('personal_sign', hello(), { host })).toMatchObject({
        status: 200,
        answer: { transact_url: `https://${host}/oauth/transact/${fixture.app.id}` },
      })
      expect(await harbor.ask('personal_sign', hello())).toMatchObject({ status: 200 })
    })
  })

  // spec W7.15
  test('the URL of a request redirects to the cross-app page, which keeps its opener', async () => {
    const { dialogOrigin, walletOrigin } = fixture.context.config
    const get = () =>
      fixture.server.request(`${dialogOrigin}/oauth/transact/${fixture.app.id}`, {
        headers: { host: new URL(dialogOrigin).host },
      })
    const answered = await get()
    expect(answered.status).toBe(302)
    expect(answered.headers.get('location')).toBe(`${walletOrigin}/apps/${fixture.app.id}/cross-app`)
    expect(answered.headers.get('cross-origin-opener-policy')).toBe('unsafe-none')
    await fixture.set(['cross_app_provider', false])
    expect((await get()).status).toBe(404)
  })

  describe('the result', () => {
    const pending = (handle: string, of = harbor) =>
      of.connection().then(({ id: connectionId, client_id: clientId }) =>
        waitForResult(fixture.context, fixture.app, { connectionId, clientId }, handle, {
          until: (_key, _waitMs, look) => look(),
          hold: async () => undefined,
        }),
      )

    test('is pending until the page answers', async () => {
      const handle = await harbor.made('personal_sign', hello())
      expect(await pending(handle)).toEqual({ status: 'pending' })
      await page.read(handle)
      expect(await pending(handle)).toEqual({ status: 'pending' })
    })

    test('is only visible to the app and the connection of the request', async () => {
      const other = await fixture.connect({ clientId: 'other' })
      const handle = await harbor.made('personal_sign', hello())
      const theirs = await other.made('personal_sign', hello())
      await page.read(handle)
      await page.answer(handle, signed(await sign()))
      expect(await other.result(handle)).toMatchObject(refused(400, 'invalid_request'))
      expect(await harbor.result(theirs)).toMatchObject(refused(400, 'invalid_request'))
      const { id: connectionId } = await harbor.connection()
      const { id: another } = await other.connection()
      const ask = (of: { connectionId: string; clientId: string }) =>
        waitForResult(fixture.context, fixture.app, of, handle, {
          until: (_key, _waitMs, look) => look(),
          hold: async () => undefined,
        })
      await expect(ask({ connectionId, clientId: 'other' })).rejects.toMatchObject({
        error: 'invalid_request',
      })
      await expect(ask({ connectionId: another, clientId: 'harbor' })).rejects.toMatchObject({
        error: 'invalid_request',
      })
      await expect(ask({ connectionId, clientId: 'harbor' })).resolves.toMatchObject({ status: 'completed' })
    })

    test.each(['', 'A', 'A'.repeat(42), 1, null])('%j is an invalid handle', async (handle) => {
      expect(await harbor.result(handle)).toMatchObject(refused(400, 'invalid_request'))
    })

    test("can be read after the request's deadline, as long as it is stored", async () => {
      const handle = await harbor.made('personal_sign', hello())
      await page.read(handle)
      await page.answer(handle, signed(await sign()))
      fixture.context.clock.advanceSeconds(400)
      expect(await pending(handle)).toMatchObject({ status: 'completed' })
    })
  })

  test('stores no request, response or handle in plain text', async () => {
    const message = 'The secret of the harbour'
    const handle = await harbor.made('personal_sign', [message, address])
    await page.read(handle)
    const signature = await sign(message)
    await page.answer(handle, signed(signature))
    const { db } = fixture.context
    const rows = await requestTables(db).selectFrom('cross_app_requests').selectAll().execute()
    const kept = await db.selectFrom('request_replays').selectAll().execute()
    const audit = await db.selectFrom('audit_log').selectAll().execute()
    const text = JSON.stringify([rows, kept, audit])
    expect(rows).toHaveLength(1)
    for (const secret of [handle, toHex(message).slice(2), message, signature])
      expect(text).not.toContain(secret)
  })

  test('deletes all rows of a deleted user', async () => {
    await harbor.made('personal_sign', hello())
    const { context } = fixture
    const leaving = { appId: fixture.app.id, userId: fixture.userId, identifiers: [], nowSeconds: 0 }
    await context.transaction((trx) => context.capabilities.forget(trx, leaving))
    const rows = await requestTables(context.db).selectFrom('cross_app_requests').selectAll().execute()
    expect(rows).toEqual([])
  })
})
