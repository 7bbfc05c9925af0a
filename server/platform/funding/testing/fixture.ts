/** Payments over HTTP, of a user with a wallet, with the sandbox's MoonPay. */
import { createHmac } from 'node:crypto'
import { apiPrefix } from '@latchkey/protocol/api'
import * as v from 'valibot'
import { mfaFixture } from '../../../account/verification/testing/fixture.ts'
import { setFields } from '../../../identity/apps/manage.ts'
import type { TestSession } from '../../../identity/sessions/testing/browser.ts'
import type { Database } from '../../../kernel/db/database.ts'
import { startSandbox } from '../../../testing/sandbox.ts'
import { createMoonPay } from '../moonpay/moonpay.ts'
import { onRampProvider } from '../provider.ts'

/** The sandbox's keys. */
export const live = { publishable: 'pk_live_sandbox', secret: 'sk_live_sandbox', webhook: 'wk_live_sandbox' }
export const test = { publishable: 'pk_test_sandbox', secret: 'sk_test_sandbox', webhook: 'wk_test_sandbox' }

const begunAnswer = v.object({ signedUrl: v.string(), externalTransactionId: v.string() })

export type MoonPaySandbox = Awaited<ReturnType<typeof openMoonPay>>
export async function openMoonPay() {
  const url = await startSandbox()
  const post = async (path: string, body: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  }
  return {
    hostsUrl: `${url}/moonpay`,
    setFault: (moonpay: string) => post('/api/faults', { moonpay }),
    pay: (externalTransactionId: string, change: object) =>
      post('/api/moonpay/payments', { externalTransactionId, ...change }),
    looked: async (): Promise<number> => Object(await (await fetch(`${url}/api/moonpay`)).json()).looked,
  }
}

export async function fundingFixture(database: Database, sandbox: MoonPaySandbox) {
  const fixture = await mfaFixture(database)
  const { context, app, browser, server } = fixture
  const enable = async (isOn: boolean) => {
    await setFields(context.db, context.clock, app.id, [['fiat_on_ramp_enabled', isOn]])
    context.clock.advanceSeconds(5)
  }
  await enable(true)
  const provide = (accounts: Partial<Parameters<typeof createMoonPay>[0]>) =>
    onRampProvider.set(
      context.ports,
      createMoonPay({ live: undefined, test: undefined, hostsUrl: sandbox.hostsUrl, ...accounts }),
    )
  provide({ live, test })
  const session = await browser.login('ada@example.com')
  const address = await fixture.makeWallet(session)

  const sign = (body: object = {}, of: TestSession = session, requestId?: string) =>
    browser.call('signFunding', {
      token: of.token,
      body: { address, useSandbox: true, config: {}, ...body },
      ...(requestId !== undefined && { requestId }),
    })
  async function begin(body: object = {}) {
    const { signedUrl, externalTransactionId } = v.parse(begunAnswer, (await sign(body)).answer)
    return { url: new URL(signedUrl), reference: externalTransactionId }
  }
  const status = (reference: string, of: TestSession = session, from = browser) =>
    from.call('fundingStatus', { token: of.token, query: `?externalTransactionId=${reference}` })

  /** A webhook of MoonPay, with the test's changes. */
  async function tell(
    data: object,
    {
      key = test.webhook,
      atSeconds = Math.floor(context.clock.nowMs() / 1_000),
      type = 'transaction_updated',
      header,
      sent,
    }: {
      key?: string
      atSeconds?: number
      type?: string
      header?: string
      /** Replaces the signed body. */
      sent?: string
    } = {},
  ) {
    const body = JSON.stringify({ type, data })
    const signature = createHmac('sha256', key).update(`${atSeconds}.${body}`).digest('hex')
    const response = await server.request(
      `${context.config.dialogOrigin}${apiPrefix}/plugins/moonpay_on_ramp/webhook`,
      {
        method: 'POST',
        headers: {
          host: new URL(context.config.dialogOrigin).host,
          'content-type': 'application/json',
          'moonpay-signature-v2': header ?? `t=${atSeconds},s=${signature}`,
        },
        body: sent ?? body,
      },
      { incoming: { socket: {} } },
    )
    return response.status
  }
  return { ...fixture, session, address, enable, provide, sign, begin, status, tell }
}
export type FundingFixture = Awaited<ReturnType<typeof fundingFixture>>
