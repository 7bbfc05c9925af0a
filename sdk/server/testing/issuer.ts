import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { createLatchkeyServer } from '../requests/latchkey-server.ts'

export const appId = 'lkapp00000000000000000001'
export const issuer = 'https://dialog.example'
const startMs = Date.UTC(2026, 0, 1)

/** Claims that differ from those of a right token; undefined leaves one out. */
export type TokenChanges = Readonly<Record<string, unknown>>

/** An issuer with keys of its own, whose key set a test serves, withholds or changes, and a clock that the test moves. */
export async function createIssuer() {
  const keys = new Map<string, CryptoKey>()
  const published: object[] = []
  let nowMs = startMs
  let headers: Record<string, string> = { 'cache-control': 'public, max-age=300' }
  let failure: Response | Error | undefined
  const fetched: string[] = []

  const fetchKeys: typeof fetch = async (url) => {
    fetched.push(String(url))
    if (failure instanceof Error) throw failure
    return failure?.clone() ?? Response.json({ keys: published }, { headers })
  }

  async function addKey(kid: string, { publish = true } = {}) {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
    keys.set(kid, privateKey)
    if (publish) published.push({ ...(await exportJWK(publicKey)), kid, use: 'sig', alg: 'ES256' })
  }
  await addKey('first')

  const seconds = () => Math.floor(nowMs / 1_000)
  const claims = () => ({
    iss: issuer,
    aud: appId,
    client_id: appId,
    sub: 'user-1',
    sid: 'session-1',
    scope: 'host',
    iat: seconds(),
    exp: seconds() + 900,
  })
  async function token(changes: TokenChanges = {}, { kid = 'first', header = {} } = {}) {
    const key = keys.get(kid)
    if (!key) throw new Error(`No key ${kid}`)
    const payload = Object.fromEntries(
      Object.entries({ ...claims(), ...changes }).filter(([, value]) => value !== undefined),
    )
    return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid, ...header }).sign(key)
  }

  return {
    latchkey: createLatchkeyServer({ appId, issuer, fetch: fetchKeys, nowMs: () => nowMs }),
    addKey,
    token,
    fetched,
    startMs,
    pass: (seconds: number) => {
      nowMs += seconds * 1_000
    },
    serveWith: (next: Record<string, string>) => {
      headers = next
    },
    fail: (next: Response | Error | undefined) => {
      failure = next
    },
  }
}
