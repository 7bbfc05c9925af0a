import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../sandbox.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ host: '127.0.0.1', httpPort: 0, smtpPort: 0, chainPort: 0 })
})
afterAll(() => sandbox.stop())
afterEach(() => post('/api/faults', { moonpay: 'none' }))

const url = (path: string) => `http://127.0.0.1:${new URL(sandbox.httpUrl).port}${path}`
const post = async (path: string, body: object) =>
  (
    await fetch(url(path), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  ).json()
const getPayment = (id: string, apiKey = 'pk_test_sandbox') =>
  fetch(url(`/moonpay/api.moonpay.com/v1/transactions/ext/${id}?apiKey=${apiKey}`))

const address = `0x${'12'.repeat(20)}`
const signed = (fields: Record<string, string>, secret = 'sk_test_sandbox') => {
  const search = `?${new URLSearchParams({ apiKey: 'pk_test_sandbox', walletAddress: address, defaultCurrencyCode: 'eth', ...fields })}`
  const signature = createHmac('sha256', secret).update(search).digest('base64')
  return `${search}&signature=${encodeURIComponent(signature)}`
}
const page = '/moonpay/buy-sandbox.moonpay.com/'
const press = (query: string, outcome: string) =>
  fetch(url(page), { method: 'POST', body: new URLSearchParams({ query, outcome, amount: '0.5' }) })

async function balance(): Promise<bigint> {
  const response = await fetch(sandbox.chainUrl ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [address, 'latest'] }),
  })
  return BigInt((await response.json()).result)
}

describe('the payment page', () => {
  test('opens only for an address that the account signed', async () => {
    expect((await fetch(url(page + signed({ externalTransactionId: 'a' })))).status).toBe(200)
    for (const wrong of [
      signed({ externalTransactionId: 'a' }, 'sk_live_sandbox'),
      signed({ externalTransactionId: 'a', apiKey: 'pk_live_sandbox' }),
      `${signed({ externalTransactionId: 'a' })}&walletAddress=0x1`,
      '?apiKey=pk_test_sandbox',
    ]) {
      expect((await fetch(url(page + wrong))).status).toBe(400)
    }
  })

  test('pays the purchased amount to the address once', async () => {
    const query = signed({ externalTransactionId: 'paid' })
    const before = await balance()
    expect((await getPayment('paid')).status).toBe(404)
    await press(query, 'completed')
    await press(query, 'completed')
    expect((await balance()) - before).toBe(5n * 10n ** 17n)
    expect(await (await getPayment('paid')).json()).toMatchObject([
      {
        externalTransactionId: 'paid',
        status: 'completed',
        currency: { code: 'eth' },
        quoteCurrencyAmount: 0.5,
      },
    ])
  })

  test.each([
    ['pending', { status: 'pending' }],
    ['waiting-card', { status: 'waitingAuthorization', paymentMethod: 'credit_debit_card' }],
    ['waiting-bank', { status: 'waitingAuthorization', paymentMethod: 'ach_bank_transfer' }],
    ['awaiting-bank', { status: 'awaitingAuthorization' }],
    ['failed', { status: 'failed' }],
  ])('has a button for %s', async (outcome, payment) => {
    const before = await balance()
    await press(signed({ externalTransactionId: outcome }), outcome)
    expect(await (await getPayment(outcome)).json()).toMatchObject([payment])
    expect(await balance()).toBe(before)
  })
})

test('the faucet sends one coin to an address and rejects other input', async () => {
  const before = await balance()
  const ask = (given: string) =>
    fetch(url('/faucet'), { method: 'POST', body: new URLSearchParams({ address: given }) })
  expect((await ask(address)).status).toBe(200)
  expect((await balance()) - before).toBe(10n ** 18n)
  expect((await ask('nobody')).status).toBe(400)
  expect((await fetch(url('/faucet'))).status).toBe(200)
})

test('the API returns payments of the authenticated account, and fails on demand', async () => {
  await post('/api/moonpay/payments', { externalTransactionId: 'b', status: 'pending' })
  expect((await getPayment('b')).status).toBe(200)
  expect((await getPayment('b', 'pk_live_sandbox')).status).toBe(404)
  expect((await getPayment('b', 'pk_of_nobody')).status).toBe(401)
  for (const [fault, status] of [
    ['failing', 500],
    ['too-many-requests', 429],
    ['garbage', 200],
    ['empty', 200],
  ]) {
    await post('/api/faults', { moonpay: fault })
    expect((await getPayment('b')).status).toBe(status)
  }
})

test('the webhook receives each change, signed, and again on request', async () => {
  const heard: { signature: unknown; body: string }[] = []
  const listener = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    heard.push({ signature: request.headers['moonpay-signature-v2'], body })
    response.end('{}')
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = Object(listener.address())
  await post('/api/moonpay', { webhookUrl: `http://127.0.0.1:${port}/` })
  await post('/api/moonpay/payments', { externalTransactionId: 'told', status: 'pending' })
  await post('/api/moonpay/payments', { externalTransactionId: 'told', status: 'failed' })
  const { deliveries } = await (await fetch(url('/api/moonpay'))).json()
  await post('/api/moonpay', { deliver: deliveries.length - 2 })
  await post('/api/moonpay', { webhookUrl: null })
  listener.close()
  expect(heard.map(({ body }) => [JSON.parse(body).type, JSON.parse(body).data.status])).toEqual([
    ['transaction_created', 'pending'],
    ['transaction_failed', 'failed'],
    ['transaction_created', 'pending'],
  ])
  for (const { signature, body } of heard) {
    const [, at, given] = /^t=(\d+),s=([0-9a-f]{64})$/.exec(String(signature)) ?? []
    expect(createHmac('sha256', 'wk_test_sandbox').update(`${at}.${body}`).digest('hex')).toBe(given)
  }
})
