/** Options sent to the browser's WebAuthn API, and its responses. */
import type { AssertionOptions } from '@latchkey/protocol/api'
import { afterEach, expect, test, vi } from 'vitest'
import { browserAuthenticator } from './browser-authenticator.ts'

afterEach(() => vi.unstubAllGlobals())

const bytesOf = (text: string) => new TextEncoder().encode(text)
const textOf = (bytes: BufferSource) => new TextDecoder().decode(bytes)

/** Runs one ceremony and returns the options that the browser received. */
async function ask(options: AssertionOptions) {
  const asked: CredentialRequestOptions[] = []
  const credential = {
    id: 'Zmlyc3Q',
    rawId: bytesOf('first').buffer,
    type: 'public-key',
    authenticatorAttachment: 'platform',
    response: {
      clientDataJSON: bytesOf('client').buffer,
      authenticatorData: bytesOf('data').buffer,
      signature: bytesOf('sig').buffer,
      userHandle: bytesOf('usr').buffer,
    },
    getClientExtensionResults: () => ({ appid: true, credProps: { rk: true }, hmacCreateSecret: false }),
  }
  const page = { document: {}, performance }
  vi.stubGlobal('window', { ...page, self: page, top: page })
  vi.stubGlobal('PublicKeyCredential', class {})
  vi.stubGlobal('navigator', {
    credentials: {
      async get(request: CredentialRequestOptions) {
        asked.push(request)
        return credential
      },
    },
  })
  const answer = await browserAuthenticator.get(options, new AbortController().signal)
  const [request] = asked
  if (!request?.publicKey) throw new Error('The browser was not asked')
  return { request: request.publicKey, answer }
}

// spec L3.29
test('passes every option of a challenge to the browser', async () => {
  const { request } = await ask({
    challenge: 'Y2hhbGxlbmdl',
    timeout: 300_000,
    rpId: 'dialog.example',
    allowCredentials: [{ id: 'Zmlyc3Q', type: 'public-key', transports: ['internal', 'hybrid', 'pigeon'] }],
    userVerification: 'required',
    extensions: { appId: 'https://dialog.example', credProps: { rk: true }, hmacCreateSecret: true },
  })
  const { challenge, allowCredentials = [], ...rest } = request
  expect(textOf(challenge)).toBe('challenge')
  expect(allowCredentials.map(({ id, ...of }) => ({ id: textOf(id), ...of }))).toEqual([
    { id: 'first', type: 'public-key', transports: ['hybrid', 'internal'] },
  ])
  expect(rest).toEqual({
    timeout: 300_000,
    rpId: 'dialog.example',
    userVerification: 'required',
    extensions: { appid: 'https://dialog.example', credProps: true, hmacCreateSecret: true },
  })
})

// spec L3.30
test('returns every field of the response', async () => {
  const { answer } = await ask({ challenge: 'Y2hhbGxlbmdl' })
  expect(answer).toEqual({
    id: 'Zmlyc3Q',
    rawId: 'Zmlyc3Q',
    response: {
      clientDataJson: 'Y2xpZW50',
      authenticatorData: 'ZGF0YQ',
      signature: 'c2ln',
      userHandle: 'dXNy',
    },
    authenticatorAttachment: 'platform',
    clientExtensionResults: { appId: true, credProps: { rk: true }, hmacCreateSecret: false },
    type: 'public-key',
  })
})
