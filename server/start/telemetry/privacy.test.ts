/** Operators see no personal data: three kinds of logins, a wallet and signatures, with all telemetry enabled. */
import * as v from 'valibot'
import { beforeEach, expect, test } from 'vitest'
import { testBrowser } from '../../identity/sessions/testing/browser.ts'
import { createKeyWallet } from '../../integrations/chains/testing/contract-wallets.ts'
import { smsVerifier } from '../../integrations/sms/verifier.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { signedBy } from '../../login/siwe/testing/signed-by.ts'
import { newNumber, startTwilio, wrongFor } from '../../login/sms/testing/fixture.ts'
import { openTestTelemetry } from '../../testing/telemetry.ts'
import { newHandle } from '../../wallet/confirm/testing/confirming.ts'
import { type ConfirmFixture, confirmFixture } from '../../wallet/confirm/testing/fixture.ts'

const telemetry = openTestTelemetry()
const twilio = await startTwilio()
const address = '203.0.113.77'
const loggedIn = v.object({ user: v.looseObject({ id: v.string() }), token: v.string() })

forDefaultEngine((database) => {
  let fixture: ConfirmFixture
  beforeEach(async () => {
    telemetry.forgetSpans()
    fixture = await confirmFixture(database())
    await fixture.set(['wallet_auth', true])
    smsVerifier.set(fixture.context.ports, twilio.verifier)
  })

  test('logs, labels and spans contain no personal data of logins and signatures', async () => {
    const { context, app, server } = fixture
    const at = () => testBrowser(server, context, app, address)

    const byMail = at()
    const email = 'ada.lovelace+notes@example.com'
    const mailed = await byMail.codeFor(email)
    await byMail.call('loginWithEmailCode', { body: { email, code: wrongFor(mailed) } })
    const mailLogin = v.parse(
      loggedIn,
      (await byMail.call('loginWithEmailCode', { body: { email, code: mailed } })).answer,
    )

    const bySms = at()
    const phoneNumber = newNumber()
    await bySms.call('sendSmsCode', { body: { phoneNumber } })
    const texted = await twilio.codeSentTo(phoneNumber)
    const smsLogin = v.parse(
      loggedIn,
      (await bySms.call('loginWithSmsCode', { body: { phoneNumber, code: texted } })).answer,
    )

    const byWallet = at()
    const wallet = createKeyWallet()
    const body = await signedBy(wallet, byWallet, context)
    const walletLogin = v.parse(loggedIn, (await byWallet.call('loginWithSiwe', { body })).answer)
    await byWallet.call('loginWithSiwe', { body: { ...body, signature: `0x${'00'.repeat(65)}` } })

    const handle = newHandle()
    await fixture.sign(fixture.message('A secret of hers'), { handle })
    await server.request(
      `http://dialog.localhost:4000/nowhere/${handle}?email=${email}`,
      {},
      {
        incoming: { socket: { remoteAddress: address } },
      },
    )

    const secrets = [
      email,
      'ada.lovelace',
      'example.com',
      mailed,
      phoneNumber,
      phoneNumber.replace(' ', ''),
      phoneNumber.slice(-7),
      texted,
      wallet.address,
      fixture.address,
      body.signature,
      'A secret of hers',
      handle,
      address,
      ...[mailLogin, smsLogin, walletLogin].flatMap(({ user, token }) => [user.id, token]),
      fixture.session.user.id,
      '"ses_',
      '"wal_',
    ]
    const output = {
      log: fixture.everyLine(),
      labels: (await telemetry.text()).replaceAll(/ [\d.e+-]+$/gm, ''),
      spans: telemetry
        .spans()
        .map(({ name, attributes, events, links, status, resource }) =>
          JSON.stringify({ name, attributes, events, links, status, resource: resource.attributes }),
        )
        .join('\n'),
    }
    for (const text of Object.values(output)) expect(text.length).toBeGreaterThan(1_000)
    const found = Object.entries(output).flatMap(([where, text]) =>
      secrets.flatMap((secret) => {
        const at = text.toLowerCase().indexOf(secret.toLowerCase())
        // Six digits may be part of a timestamp.
        const isPartOfNumber = /^\d+$/.test(secret) && /\d/.test((text[at - 1] ?? '') + (text[at + 6] ?? ''))
        return at < 0 || isPartOfNumber ? [] : [`${where}: ${secret}: ${text.slice(at - 60, at + 60)}`]
      }),
    )
    expect(found).toEqual([])
  })

  test('each log line of a call contains its request id, app and trace id', async () => {
    const { browser, app } = fixture
    telemetry.forgetSpans()
    const body = { email: 'eve@example.com', code: '000000' }
    const requestId = 'a-request-of-a-test'
    expect((await browser.call('loginWithEmailCode', { body, requestId })).status).toBe(422)
    const lines = fixture
      .everyLine()
      .split('\n')
      .filter((line) => line.includes(requestId))
      .map((line) => JSON.parse(line))
    const [span] = telemetry
      .spans()
      .filter(({ attributes }) => attributes['latchkey.request_id'] === requestId)
    expect(lines).toEqual([
      expect.objectContaining({
        msg: 'answered',
        requestId,
        app: app.id,
        pattern: '/api/v1/passwordless/authenticate',
        status: 422,
        traceId: span?.spanContext().traceId,
      }),
    ])
    expect(span).toMatchObject({
      name: 'POST /api/v1/passwordless/authenticate',
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/v1/passwordless/authenticate',
        'http.response.status_code': 422,
        'url.scheme': 'http',
        'latchkey.app_id': app.id,
      },
    })
  })

  test('a call starts its own trace, with its queries and requests as child spans', async () => {
    const { bySms, phoneNumber } = { bySms: fixture.newBrowser(), phoneNumber: newNumber() }
    telemetry.forgetSpans()
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` }
    expect((await bySms.call('sendSmsCode', { body: { phoneNumber }, headers })).status).toBe(200)
    const spans = telemetry.spans()
    const [call] = spans.filter(({ name }) => name === 'POST /api/v1/passwordless_sms/init')
    if (!call) throw new Error(`There is no span of the call: ${spans.map(({ name }) => name).join(', ')}`)
    const own = call.spanContext()
    expect(call.parentSpanContext).toBeUndefined()
    expect(own.traceId).not.toBe(traceId)
    const below = spans.filter(({ parentSpanContext }) => parentSpanContext?.spanId === own.spanId)
    expect(below.map(({ name }) => name)).toEqual(expect.arrayContaining(['INSERT', 'POST twilio']))
    expect(new Set(below.map((span) => span.spanContext().traceId))).toEqual(new Set([own.traceId]))
    expect(below).toHaveLength(spans.length - 1)
  })

  test('a call without a valid request id gets one from the server', async () => {
    const { server } = fixture
    for (const sent of [undefined, 'no id: ada@example.com']) {
      const headers = { host: 'dialog.localhost:4000', ...(sent && { 'latchkey-request-id': sent }) }
      await server.request('http://dialog.localhost:4000/healthz', { headers })
    }
    const lines = fixture
      .everyLine()
      .trim()
      .split('\n')
      .slice(-2)
      .map((line) => JSON.parse(line))
    expect(lines).toMatchObject([{ pattern: '/healthz' }, { pattern: '/healthz' }])
    for (const { requestId } of lines) expect(requestId).toMatch(/^[\w-]{24}$/)
  })
})
