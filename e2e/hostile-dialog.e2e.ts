/**
 * A script in the dialog's page that came after the login: a bad package, or an injection. It has what the dialog has
 * (tokens, the use of its key, every message), and an accomplice outside of the browser, for whom no header is
 * forbidden. The vault has stated its device by then.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Frame, Page } from '@playwright/test'
import { approve, newBrowserKey, state } from './client/browser-key.ts'
import { openConnections } from './client/http.ts'
import type { Stack } from './stack/stack.ts'
import { expect, test } from './test.ts'

const appId = 'lkdemo0000000000000000001'

function dialogOf(page: Page, { dialogOrigin }: Stack): Frame {
  const frame = page.frames().find((candidate) => candidate.url().startsWith(`${dialogOrigin}/apps/`))
  if (!frame) throw new Error('There is no dialog')
  return frame
}

type Call = {
  readonly url: string
  readonly token: string
  readonly body: string
  readonly requestId: string
}

/** What the script takes from the page that it is in. */
const tokenIn = (dialog: Frame) =>
  dialog.evaluate(
    (name) => JSON.parse(localStorage.getItem(name) ?? '{}').accessToken as string,
    `latchkey:${appId}:session`,
  )
/** Signed with the dialog's own key, which it can use and not copy. */
const proofIn = (dialog: Frame, call: Call) =>
  dialog.evaluate(
    async ([{ url, token, body, requestId }, databaseName]) => {
      const text = (bytes: ArrayBuffer | Uint8Array) =>
        btoa(String.fromCharCode(...new Uint8Array(bytes)))
          .replaceAll('+', '-')
          .replaceAll('/', '_')
          .replaceAll('=', '')
      const bytes = (value: string) => new TextEncoder().encode(value)
      const hash = async (value: string) => text(await crypto.subtle.digest('SHA-256', bytes(value)))
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(databaseName)
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
      const { privateKey, publicKey } = await new Promise<CryptoKeyPair>((resolve) => {
        const request = database.transaction('keys').objectStore('keys').get('session-proof')
        request.onsuccess = () => resolve(request.result)
      })
      const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey)
      const claims = {
        jti: requestId,
        htm: 'POST',
        htu: url,
        iat: Math.floor(Date.now() / 1_000),
        ath: await hash(token),
        bth: await hash(body),
      }
      const parts = [{ typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } }, claims]
      const signed = parts.map((part) => text(bytes(JSON.stringify(part)))).join('.')
      const signature = await crypto.subtle.sign(
        { name: 'ECDSA', hash: 'SHA-256' },
        privateKey,
        bytes(signed),
      )
      const dialogKey = await hash(JSON.stringify({ crv, kty, x, y }))
      return { proof: `${signed}.${text(signature)}`, dialogKey }
    },
    [call, `latchkey:${appId}:keys`] as const,
  )

async function ownVaultKey() {
  const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, false, ['deriveBits'])
  return Buffer.from(await crypto.subtle.exportKey('raw', pair.publicKey)).toString('base64url')
}

/** As the dialog calls the server, with its token and its proof; the accomplice names any origin. */
const sender =
  (dialog: Frame, connections: ReturnType<typeof openConnections>) =>
  async (origin: string, path: string, content: object, bearer: string, statement?: string) => {
    const body = JSON.stringify(content)
    const requestId = randomUUID()
    const url = `${origin}/api/v1${path}`
    const { proof } = await proofIn(dialog, { url, token: bearer, body, requestId })
    return connections.post(origin, `/api/v1${path}`, body, {
      'latchkey-app-id': appId,
      'latchkey-request-id': requestId,
      authorization: `Bearer ${bearer}`,
      dpop: proof,
      ...(statement !== undefined && { 'latchkey-device': statement }),
    })
  }

test('a script in the dialog gets no token for a key of its own, and no share for a token that it copied', async ({
  host,
  inbox,
  page,
  stack,
}) => {
  const asked: { statement: string; body: string; token: string }[] = []
  page.on('response', async (response) => {
    if (new URL(response.url()).pathname !== '/api/v1/wallets/token' || !response.ok()) return
    const request = response.request()
    asked.push({
      statement: (await request.headerValue('latchkey-device')) ?? '',
      body: request.postData() ?? '',
      token: ((await response.json()) as { token: string }).token,
    })
  })
  await host.open()
  await host.logIn(inbox)
  const address = await host.walletAddress()
  await host.sign('What its user approved')
  await host.dialogCloses()
  await expect.poll(() => asked.length).toBeGreaterThan(0)
  const copied = asked.at(-1) ?? { statement: '', body: '', token: '' }

  const dialog = dialogOf(page, stack)
  const connections = openConnections(stack.serverPort, 1)
  const token = await tokenIn(dialog)
  const { origin: dialogOrigin } = new URL(stack.dialogOrigin)
  const { origin: walletOrigin } = new URL(stack.walletOrigin)

  const send = sender(dialog, connections)
  const operation = { id: randomUUID(), step: 1 }
  const publicKey = await ownVaultKey()
  const step = { public_key: publicKey, operation, purpose: 'recover', address, confirmation: null }
  const notBound = { status: 403, body: { code: 'device_not_bound' } }

  expect(await send(dialogOrigin, '/wallets/token', step, token)).toMatchObject(notBound)
  const { dialogKey } = await proofIn(dialog, { url: '', token, body: '', requestId: '' })
  const own = state(newBrowserKey(), {
    aud: appId,
    vpk: publicKey,
    purpose: 'recover',
    op: operation,
    address,
    digest: null,
    jkt: dialogKey,
  })
  expect(await send(dialogOrigin, '/wallets/token', step, token, own)).toMatchObject(notBound)
  // The vault's own, of another step and for another key.
  expect(await send(dialogOrigin, '/wallets/token', step, token, copied.statement)).toMatchObject({
    status: 422,
    body: { code: 'invalid_data', details: { reason: 'of_another_step' } },
  })

  // A token that it saw on its way, used by the accomplice, who can claim any origin.
  expect(await send(walletOrigin, '/wallets/shares', {}, copied.token)).toMatchObject({
    status: 401,
    body: { code: 'missing_or_invalid_token', details: { reason: 'proof_of_another_key' } },
  })
  expect(await send(dialogOrigin, '/wallets/shares', {}, copied.token)).toMatchObject({ status: 404 })

  // And all of that in vain: its user goes on.
  await host.sign('Signed afterwards')
  await host.dialogCloses()
  connections.close()
})

test('a script in the dialog approves nothing that belongs on the page', async ({
  host,
  inbox,
  page,
  stack,
}) => {
  const statements: string[] = []
  page.on('request', async (request) => {
    const statement = await request.headerValue('latchkey-device').catch(() => null)
    if (statement) statements.push(statement)
  })
  await host.open()
  await host.logIn(inbox)
  const address = await host.walletAddress()
  const dialog = dialogOf(page, stack)
  const connections = openConnections(stack.serverPort, 1)
  const send = sender(dialog, connections)
  const token = await tokenIn(dialog)
  const { origin: dialogOrigin } = new URL(stack.dialogOrigin)
  const { origin: walletOrigin } = new URL(stack.walletOrigin)

  for (const request of [
    { method: 'export', params: [address] },
    { method: 'set-recovery', params: [address, 'user-passcode'] },
  ]) {
    const handle = randomBytes(32).toString('base64url')
    const put = await send(
      dialogOrigin,
      '/confirmations',
      { handle, address, request, origin: null, place: 'frame' },
      token,
    )
    expect(put).toMatchObject({ status: 200, body: { place: 'page' } })
    const { digest } = put.body as { readonly digest: string }
    const approval = { aud: appId, decision: 'approve', handle, digest } as const
    const decide = (statement?: string) =>
      send(walletOrigin, '/confirmations/decision', { handle, digest, decision: 'approve', statement }, token)

    expect(await decide()).toMatchObject({ status: 422, body: { details: { reason: 'missing' } } })
    expect(await decide(statements.at(-1))).toMatchObject({
      status: 422,
      body: { details: { reason: 'malformed' } },
    })
    expect(await decide(approve(newBrowserKey(), approval))).toMatchObject({
      status: 403,
      body: { code: 'device_not_bound' },
    })
    // Nor does the wallet frame listen to it: the page of the wallet's origin alone is answered.
    const heard = await dialog.evaluate(
      async ([name, origin]) => {
        const answers: unknown[] = []
        window.addEventListener('message', ({ data }) => answers.push(data))
        for (let at = 0; at < window.length; at += 1) {
          window[at]?.postMessage({ type: 'latchkey:page:hello', handle: name }, origin)
        }
        await new Promise((resolve) => setTimeout(resolve, 1_000))
        return answers.filter((data) => JSON.stringify(data).includes(name))
      },
      [handle, walletOrigin] as const,
    )
    expect(heard).toEqual([])
    expect(await send(dialogOrigin, '/confirmations/status', { handle }, token)).toMatchObject({
      body: { state: 'open' },
    })
  }
  connections.close()
})
