/** An app with the official client, the relay over real sockets, and the phone. */

import { verifyMessage } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../sandbox.ts'
import { type Client, closeClient, openClient } from './client.ts'

let sandbox: Sandbox
let app: Client
beforeAll(async () => {
  sandbox = await startSandbox({ host: '127.0.0.1', httpPort: 0, smtpPort: 0, chainPort: 'off' })
  app = await openClient({ name: 'Fieldnotes', relayUrl: sandbox.relayUrl })
})
afterAll(async () => {
  await closeClient(app)
  await sandbox.stop()
})
beforeEach(() => call('DELETE', '/api/phone'))
afterEach(() => call('POST', '/api/faults', { walletconnect: 'none' }))

const url = (path: string) => `http://127.0.0.1:${new URL(sandbox.httpUrl).port}${path}`
const call = (method: string, path: string, body?: unknown) =>
  fetch(url(path), {
    method,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
const state = async () => (await call('GET', '/api/phone')).json()
const waitForRequest = async () => (await (await call('GET', '/api/phone/asked/next')).json()).asked
const answer = async (answer: 'approve' | 'reject') => {
  const request = await waitForRequest()
  expect((await call('POST', `/api/phone/asked/${request.id}`, { answer })).status).toBe(204)
  return request
}

const methods = ['personal_sign', 'wallet_switchEthereumChain']
const makeLink = async (chains = ['eip155:1']) => {
  const { uri = '', approval } = await app.connect({
    optionalNamespaces: { eip155: { chains, methods, events: ['chainChanged'] } },
  })
  // Register the listener before the phone answers.
  const approved = approval()
  approved.catch(() => {})
  return { uri, approved }
}
const propose = async (chains?: string[]) => {
  const { uri, approved } = await makeLink(chains)
  expect((await call('POST', '/api/phone/pairings', { uri })).status).toBe(204)
  return { uri, approved }
}
const connect = async (chains?: string[]) => {
  const { approved } = await propose(chains)
  await answer('approve')
  return approved
}
const hex = (text: string) => `0x${Buffer.from(text).toString('hex')}`

test("an approved session has the phone's address on each requested chain", async () => {
  const { approved } = await propose(['eip155:1', 'eip155:8453'])
  const { asked } = await state()
  expect(await waitForRequest()).toMatchObject({
    type: 'session',
    from: { name: 'Fieldnotes', url: 'http://sandbox.localhost' },
    chains: ['eip155:1', 'eip155:8453'],
    methods,
  })
  expect(asked).toHaveLength(1)
  await answer('approve')
  const { address } = await state()
  const { namespaces } = await approved
  expect(namespaces.eip155?.accounts).toEqual([`eip155:1:${address}`, `eip155:8453:${address}`])
  expect((await state()).sessions).toMatchObject([{ name: 'Fieldnotes' }])
})

test('a rejected session does not start', async () => {
  const { approved } = await propose()
  await answer('reject')
  await expect(approved).rejects.toMatchObject({ code: 5000 })
  expect((await state()).sessions).toEqual([])
})

test("a message is shown as text and signed with the phone's key", async () => {
  const { topic } = await connect()
  const { address } = await state()
  const message = 'demo.localhost wants you to sign in'
  const signed = app.request<`0x${string}`>({
    topic,
    chainId: 'eip155:1',
    request: { method: 'personal_sign', params: [hex(message), address] },
  })
  expect(await answer('approve')).toMatchObject({ type: 'sign', chain: 'eip155:1', message })
  expect(await verifyMessage({ address, message, signature: await signed })).toBe(true)
})

test('a rejected message is not signed', async () => {
  const { topic } = await connect()
  const { address } = await state()
  const request = { method: 'personal_sign', params: [hex('no'), address] }
  const signed = app.request({ topic, chainId: 'eip155:1', request })
  signed.catch(() => {})
  await answer('reject')
  await expect(signed).rejects.toMatchObject({ code: 4001 })
})

test('the phone switches only to chains that it supports', async () => {
  const { topic } = await connect()
  const goTo = (chainId: string) => {
    const request = { method: 'wallet_switchEthereumChain', params: [{ chainId }] }
    const done = app.request({ topic, chainId: 'eip155:1', request })
    done.catch(() => {})
    return done
  }
  const known = goTo('0x7a69')
  expect(await answer('approve')).toMatchObject({ type: 'switch', to: 'eip155:31337' })
  expect(await known).toBeNull()
  const { address } = await state()
  expect(app.session.get(topic).namespaces.eip155?.accounts).toContain(`eip155:31337:${address}`)
  const unknown = goTo('0x539')
  await answer('approve')
  await expect(unknown).rejects.toMatchObject({ code: 4902 })
})

test('either side can end a session, and the other is notified', async () => {
  const first = await connect()
  await app.disconnect({ topic: first.topic, reason: { code: 6000, message: 'over' } })
  await expect.poll(async () => (await state()).sessions).toEqual([])
  const second = await connect()
  const ended = new Promise((resolve) => app.once('session_delete', ({ topic }) => resolve(topic)))
  await call('DELETE', '/api/phone/sessions')
  expect(await ended).toBe(second.topic)
})

test('after a reset the phone has another key', async () => {
  const { address } = await state()
  await call('DELETE', '/api/phone')
  expect((await state()).address).not.toBe(address)
})

test('rejects an invalid link and a used link', async () => {
  for (const uri of ['', 'wc:abc@1?bridge=x', 'https://example.com']) {
    expect((await call('POST', '/api/phone/pairings', { uri })).status).toBe(400)
  }
  const { uri, approved } = await propose()
  await answer('approve')
  await approved
  expect((await call('POST', '/api/phone/pairings', { uri })).status).toBe(409)
})

test('a user pairs and answers on the page without a script', async () => {
  const { uri, approved } = await makeLink()
  const form = (path: string, fields: Record<string, string>) =>
    fetch(url(path), { method: 'POST', body: new URLSearchParams(fields) })
  expect((await form('/phone/pair', { uri: 'nothing' })).status).toBe(400)
  const page = await (await form('/phone/pair', { uri })).text()
  expect(page).toContain('Fieldnotes')
  const [, id = ''] = /name="id" value="(\d+)"/.exec(page) ?? []
  expect(await (await form('/phone/answer', { id, answer: 'approve' })).text()).toContain('Connected to')
  expect((await approved).peer.metadata.name).toBe('Sandbox phone')
})

test('messages wait while the relay delivers nothing, and are delivered later', async () => {
  await call('POST', '/api/faults', { walletconnect: 'stall' })
  const connecting = propose()
  await expect
    .poll(async () => (await (await call('GET', '/api/walletconnect')).json()).kept)
    .toBeGreaterThan(0)
  await call('POST', '/api/faults', { walletconnect: 'none' })
  const { approved } = await connecting
  await answer('approve')
  expect((await approved).topic).toMatch(/^[0-9a-f]{64}$/)
})
