import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../sandbox.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ host: '127.0.0.1', httpPort: 0, smtpPort: 0, chainPort: 'off' })
})
afterAll(() => sandbox.stop())
afterEach(() => post('/api/faults', { googleDrive: 'none', cloudKit: 'none' }))

const at = (path: string) => `http://127.0.0.1:${new URL(sandbox.httpUrl).port}${path}`
const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  fetch(at(path), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const google = '/oauth/www.googleapis.com'
const callback = 'http://wallet.localhost:4000/recovery/callback/google-drive'

/** Logs in on the consent page as the sandbox's client. Returns the access token. */
async function logIn(person: string, scope = 'https://www.googleapis.com/auth/drive.appdata') {
  const isDrive = scope.includes('drive')
  const redirectUri = isDrive ? callback : 'http://dialog.localhost:4000/oauth/callback/google'
  const query = { client_id: 'client-of-google', redirect_uri: redirectUri, response_type: 'code', scope }
  const page = await fetch(
    at(`/oauth/accounts.google.com/o/oauth2/v2/auth?${new URLSearchParams({ ...query, state: 's' })}`),
  )
  const [, request = ''] = /name="request" value="([^"]+)"/.exec(await page.text()) ?? []
  const consent = await fetch(at('/oauth/consent'), {
    method: 'POST',
    body: new URLSearchParams({ request, person }),
    redirect: 'manual',
  })
  const code = new URL(consent.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri }
  const client = { client_id: 'client-of-google', client_secret: 'secret-of-google' }
  const answer = await fetch(at('/oauth/oauth2.googleapis.com/token'), {
    method: 'POST',
    body: new URLSearchParams({ ...grant, ...client }),
  })
  return (await answer.json()).access_token as string
}
const callDrive = (token: string, path: string, init: RequestInit = {}) =>
  fetch(at(google + path), { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } })
const put = (token: string, name: string, text: string, boundary = 'b-1') =>
  callDrive(token, '/upload/drive/v3/files?uploadType=multipart', {
    method: 'POST',
    headers: { 'content-type': `multipart/related; boundary=${boundary}` },
    body: [
      `--${boundary}\r\ncontent-type: application/json\r\n\r\n{"name":"${name}","parents":["appDataFolder"]}\r\n`,
      `--${boundary}\r\ncontent-type: application/json\r\n\r\n${text}\r\n--${boundary}--`,
    ].join(''),
  })
const list = async (token: string, name: string) => {
  const query = new URLSearchParams({ spaces: 'appDataFolder', q: `name = '${name}'` })
  return (await (await callDrive(token, `/drive/v3/files?${query}`)).json()).files as { id: string }[]
}

test('a file is visible only to its owner until it is deleted', async () => {
  const [ada, ben] = [await logIn('Ada Lovelace'), await logIn('Ben Okri')]
  expect((await put(ada, 'one.json', '{"a": 1}')).status).toBe(200)
  const [file] = await list(ada, 'one.json')
  expect(await list(ben, 'one.json')).toEqual([])
  const path = `/drive/v3/files/${file?.id}`
  expect(await (await callDrive(ada, `${path}?alt=media`)).text()).toBe('{"a": 1}')
  expect((await callDrive(ben, `${path}?alt=media`)).status).toBe(404)
  expect((await callDrive(ada, path, { method: 'DELETE' })).status).toBe(204)
  expect(await list(ada, 'one.json')).toEqual([])
})

test('rejects requests with a token of another scope, or without a token', async () => {
  const login = await logIn('Ada Lovelace', 'openid email profile')
  const refused = await put(login, 'one.json', '{}')
  expect([refused.status, (await refused.json()).error.errors[0].reason]).toEqual([
    403,
    'insufficientPermissions',
  ])
  expect((await put('none', 'one.json', '{}')).status).toBe(401)
})

test('allows cross-origin requests, with the permitted methods and headers', async () => {
  const origin = 'http://wallet.localhost:4000'
  const path = at(`${google}/upload/drive/v3/files`)
  const asks = await fetch(path, { method: 'OPTIONS', headers: { origin } })
  expect(asks.headers.get('access-control-allow-origin')).toBe(origin)
  expect(asks.headers.get('access-control-allow-headers')).toBe('authorization, content-type')
})

test('a full Drive rejects writes and allows reads', async () => {
  const ada = await logIn('Ada Lovelace')
  await put(ada, 'kept.json', '{}')
  await post('/api/faults', { googleDrive: 'full' })
  const refused = await put(ada, 'two.json', '{}')
  expect([refused.status, (await refused.json()).error.errors[0].reason]).toEqual([
    403,
    'storageQuotaExceeded',
  ])
  expect(await list(ada, 'kept.json')).toHaveLength(1)
})

const cloudKit = '/oauth/api.apple-cloudkit.com/database/1/iCloud.sandbox.wallets/development'
const apiToken = 'ckAPIToken=sandboxtokenofthecontainer'

test('iCloud returns its sign-in page, and stores the records of a signed-in person', async () => {
  const who = await fetch(at(`${cloudKit}/public/users/caller?${apiToken}`))
  expect([who.status, await who.json()]).toMatchObject([
    421,
    { serverErrorCode: 'AUTHENTICATION_REQUIRED', redirectURL: at('/cloudkit/sign-in') },
  ])
  const page = await fetch(at('/cloudkit/signed-in'), {
    method: 'POST',
    body: new URLSearchParams({ person: 'Ada Lovelace' }),
  })
  const [, session] = /data-session="([\w-]+)"/.exec(await page.text()) ?? []
  const path = (name: string) => `${cloudKit}/private/records/${name}?${apiToken}&ckSession=${session}`
  const record = { recordName: 'one', recordType: 'RecoveryFile', fields: { content: { value: 'text' } } }
  await post(path('modify'), { operations: [{ operationType: 'forceReplace', record }] })
  const found = await (await post(path('lookup'), { records: [{ recordName: 'one' }] })).json()
  expect(found.records[0].fields.content.value).toBe('text')
  const stranger = path('lookup').replace(`${session}`, 'another')
  expect((await post(stranger, { records: [{ recordName: 'one' }] })).status).toBe(401)
})
