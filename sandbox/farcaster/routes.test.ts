import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../sandbox.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ host: '127.0.0.1', httpPort: 0, smtpPort: 0, chainPort: 0 })
})
afterAll(() => sandbox.stop())
afterEach(() => post('/api/faults', { farcaster: 'none' }))

const url = (path: string) => `http://127.0.0.1:${new URL(sandbox.httpUrl).port}${path}`
const readResponse = async (response: Response) => ({ status: response.status, body: await response.json() })
const post = async (path: string, body: unknown, headers: Record<string, string> = {}) =>
  readResponse(
    await fetch(url(path), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }),
  )
const page = { siweUri: 'https://app.example', domain: 'app.example', nonce: 'abcdefgh12345678' }
const open = async () => (await post('/farcaster/v1/channel', page)).body.channelToken
const status = async (token: string) =>
  readResponse(
    await fetch(url('/farcaster/v1/channel/status'), { headers: { authorization: `Bearer ${token}` } }),
  )
const phone = (channelToken: string, more = {}) => post('/api/farcaster/phone', { channelToken, ...more })
const callRegistry = async (data: string) => {
  const params = [{ to: '0x00000000Fc6c5F01Fc30151999387Bb99A9f489b', data }, 'latest']
  const { body } = await readResponse(
    await fetch(sandbox.chainUrl ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params }),
    }),
  )
  return body
}
const word = (hex: string) => hex.replace('0x', '').toLowerCase().padStart(64, '0')

test('a channel stays pending until a phone completes it, and its completion is read once', async () => {
  const opened = await post('/farcaster/v1/channel', page)
  expect(opened).toMatchObject({
    status: 201,
    body: { url: expect.stringContaining('/farcaster/siwf?channelToken='), nonce: page.nonce },
  })
  const token = opened.body.channelToken
  expect(await status(token)).toMatchObject({
    status: 202,
    body: { state: 'pending', nonce: page.nonce, signatureParams: page },
  })
  const { body: signed } = await phone(token)
  const completed = await status(token)
  expect(completed).toMatchObject({
    status: 200,
    body: { state: 'completed', authMethod: 'custody', ...signed },
  })
  expect(completed.body.message).toMatch(/^app\.example wants you to sign in/)
  expect(await status(token)).toMatchObject({ status: 401, body: { error: 'Unauthorized' } })
})

test('the registry on the chain maps the owner to the account and reverts other calls', async () => {
  const { body } = await phone(await open(), { person: 'Cleo' })
  const [, custody = ''] = body.message.split('\n')
  const fid = body.fid.toString(16)
  expect(await callRegistry(`0xd94fe832${word(custody)}`)).toMatchObject({ result: `0x${word(fid)}` })
  expect(await callRegistry(`0x65269e47${word(fid)}`)).toMatchObject({ result: `0x${word(custody)}` })
  expect(await callRegistry(`0xd94fe832${word('0x1')}`)).toMatchObject({ result: `0x${word('0')}` })
  expect(await callRegistry(`0x12345678${word(fid)}`)).toMatchObject({
    error: { message: expect.any(String) },
  })
})

test.each([
  ['wrong-domain', /^evil\.example wants/],
  ['wrong-statement', /\n\nSign in to evil\.example\n\n/],
  ['wrong-nonce', /\nNonce: nobodyaskedforthis\n/],
  ['wrong-chain', /\nChain ID: 1\n/],
])('a phone in mode %s signs a message with that defect', async (wrong, says) => {
  expect((await phone(await open(), { wrong })).body.message).toMatch(says)
})

test('a denied channel stays pending, and a forgotten channel is deleted', async () => {
  const token = await open()
  expect((await phone(token, { wrong: 'denied' })).body).toEqual({ says: 'Denied' })
  expect(await status(token)).toMatchObject({ status: 202 })
  await phone(token, { wrong: 'forgotten' })
  expect(await status(token)).toMatchObject({ status: 401 })
})

test('a channel accepts completion only from the phone app, with a valid body', async () => {
  const token = await open()
  const signed = { message: 'Anything', signature: `0x${'ab'.repeat(65)}`, fid: 7 }
  const complete = (body: unknown, key: string, of = token) =>
    post('/farcaster/v1/channel/authenticate', body, {
      authorization: `Bearer ${of}`,
      'x-farcaster-auth-relay-key': key,
    })
  expect(await complete(signed, 'another')).toMatchObject({ status: 401 })
  expect(await complete({ ...signed, fid: '7' }, 'key-of-the-sandbox-phone')).toMatchObject({ status: 400 })
  expect(await complete(signed, 'key-of-the-sandbox-phone', 'unknown')).toMatchObject({ status: 401 })
  expect(await complete(signed, 'key-of-the-sandbox-phone')).toMatchObject({ status: 201 })
  expect(await status(token)).toMatchObject({ status: 200, body: signed })
})

test.each([
  ['no domain', { siweUri: page.siweUri }],
  ['a domain with a path', { ...page, domain: 'app.example/login' }],
  ['an invalid address', { ...page, siweUri: 'app' }],
  ['an unknown field', { ...page, more: 1 }],
])('rejects a channel with %s', async (_name, body) => {
  expect(await post('/farcaster/v1/channel', body)).toMatchObject({ status: 400 })
})

test.each([
  ['failing', 500],
  ['too-many-requests', 429],
])('the fault %s responds with %d', async (farcaster, expected) => {
  const token = await open()
  await post('/api/faults', { farcaster })
  expect(await post('/farcaster/v1/channel', page)).toMatchObject({ status: expected })
  expect(await status(token)).toMatchObject({ status: expected })
})

test('the phone page names the requesting site and answers with the pressed button', async () => {
  const token = await open()
  const shown = await fetch(url(`/farcaster/siwf?${new URLSearchParams({ channelToken: token })}`))
  expect(await shown.text()).toContain('<strong>app.example</strong> wants to know who you are.')
  const form = new URLSearchParams({ channelToken: token, person: 'Ben Okri' })
  const done = await fetch(url('/farcaster/answer'), { method: 'POST', body: form })
  expect(await done.text()).toContain('Signed in')
  expect(await status(token)).toMatchObject({ body: { displayName: 'Ben Okri', username: 'ben-okri' } })
})
