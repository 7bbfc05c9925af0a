import { afterEach, beforeEach, expect, test } from 'vitest'
import { browserKey, type ProofParts } from '../../identity/sessions/testing/browser-key.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { findConnection, noteUse, verifyAccess } from './access.ts'
import { type ProviderFixture, providerFixture } from './testing/fixture.ts'

forDefaultEngine((database) => {
  let fixture: ProviderFixture
  let ada: Awaited<ReturnType<ProviderFixture['newSession']>>
  const key = browserKey()
  beforeEach(async () => {
    fixture = await providerFixture(database())
    ada = await fixture.newSession()
  })
  afterEach(() => fixture.close())

  async function tokenFor(change: object = {}) {
    const begun = await fixture.begin(await fixture.discover())
    const location = await fixture.allowed(begun, ada, change)
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
    const imported = (jwk: object, usage: 'sign' | 'verify') =>
      crypto.subtle.importKey('jwk', jwk, algorithm, true, [usage])
    const pair = {
      privateKey: await imported(key.privateJwk, 'sign'),
      publicKey: await imported(key.jwk, 'verify'),
    }
    const { access_token } = await fixture.redeem(begun, location, pair)
    return access_token
  }
  const now = () => Math.floor(fixture.context.clock.nowMs() / 1_000)
  const url = () => `${fixture.issuer}/requests`
  function access(token: string, parts: Partial<ProofParts> = {}, change: object = {}, by = key) {
    const proof = by.prove({
      method: 'POST',
      url: url(),
      token,
      atSeconds: now(),
      // A proof of another implementation, independent of our code.
      ...parts,
      claims: { bth: undefined, ...parts.claims },
    })
    const request = { method: 'POST', url: url(), authorization: `DPoP ${token}`, dpop: proof, ...change }
    return verifyAccess(fixture.context, fixture.app, request)
  }
  const refused = (error = 'invalid_token', status = 401) =>
    expect.objectContaining({ name: 'ProviderRefusal', status, error })

  test('returns the wallet and the scopes of a token', async () => {
    const token = await tokenFor()
    const found = await access(token)
    expect(found).toEqual({
      appId: fixture.app.id,
      userId: ada.session.user.id,
      connectionId: expect.stringMatching(/^cap_/),
      clientId: 'notes',
      scopes: ['openid', 'profile', 'wallet.read', 'wallet.sign', 'wallet.send'],
      address: ada.address,
      dailyUsd: 50,
      requester: {
        name: 'Notes',
        origin: 'https://notes.example',
        windowOrigins: ['https://notes.example'],
      },
    })
    const { appId, userId, connectionId } = found
    expect(await findConnection(fixture.context.db, { appId, userId, connectionId })).toMatchObject({
      id: connectionId,
      dailyUsd: 50,
    })
    expect(
      await findConnection(fixture.context.db, { appId, userId: 'usr_other', connectionId }),
    ).toBeUndefined()
    await fixture.context.transaction((trx) => noteUse(trx, connectionId, now() + 7))
    const { answer } = await ada.from.call('connectedApps', { token: ada.session.token })
    expect(answer).toMatchObject({ apps: [{ last_used_at: now() + 7 }] })
  })

  test('is rejected without a proof of the key for this call, and the proof works once', async () => {
    const token = await tokenFor()
    const wrong: readonly (() => Promise<unknown>)[] = [
      () => access(token, {}, { dpop: undefined }),
      () => access(token, {}, { authorization: `Bearer ${token}` }),
      () => access(token, {}, { authorization: undefined }),
      () => access(token, {}, {}, browserKey()),
      () => access(token, { method: 'GET' }),
      () => access(token, { url: `${fixture.issuer}/requests/result` }),
      () => access(token, { url: `https://evil.example/apps/${fixture.app.id}/openid/requests` }),
      () => access(token, { token: 'another' }),
      () => access(token, { atSeconds: now() - 3_600 }),
      () => access(token, { atSeconds: now() + 3_600 }),
      () => access(token, { header: { typ: 'JWT' } }),
      () => access(token, { header: { alg: 'none' } }),
      () => access('a'.repeat(43)),
    ]
    for (const call of wrong) await expect(call()).rejects.toEqual(refused())
    const requestId = 'one-and-the-same'
    await access(token, { requestId })
    await expect(access(token, { requestId })).rejects.toEqual(refused())
    await access(token)
  })

  test('accepts a URL with a query, which its proof omits', async () => {
    const token = await tokenFor()
    expect(await access(token, {}, { url: `${url()}?a=b` })).toMatchObject({ clientId: 'notes' })
  })

  test('expires after 15 minutes', async () => {
    const token = await tokenFor()
    fixture.context.clock.advanceSeconds(899)
    await access(token)
    fixture.context.clock.advanceSeconds(1)
    await expect(access(token)).rejects.toEqual(refused())
  })

  test('ends with the connection, the requester and the provider', async () => {
    const second = await tokenFor()
    const { connectionId } = await access(second)
    await ada.from.call('endConnectedApp', { token: ada.session.token, body: { id: connectionId } })
    await expect(access(second)).rejects.toEqual(refused())

    const third = await tokenFor()
    await fixture.requesters('remove', 'notes')
    await expect(access(third)).rejects.toEqual(refused())
    const off = { ...fixture.app, config: { ...fixture.app.config, crossAppProvider: false } }
    const request = { method: 'POST', url: url(), authorization: undefined, dpop: undefined }
    await expect(verifyAccess(fixture.context, off, request)).rejects.toEqual(refused('invalid_request', 404))
  })

  test('is invalid at another app', async () => {
    const token = await tokenFor()
    const found = await fixture.enable(true, await fixture.newApp())
    const dpop = key.prove({ method: 'POST', url: url(), token, atSeconds: now() })
    const request = { method: 'POST', url: url(), authorization: `DPoP ${token}`, dpop }
    await expect(verifyAccess(fixture.context, found, request)).rejects.toEqual(refused())
  })

  test('applies the latest consent, limited to the scopes of the token', async () => {
    const all = await tokenFor()
    const less = await tokenFor({ scopes: ['openid', 'wallet.read'], daily_usd: null })
    for (const token of [all, less]) {
      expect(await access(token)).toMatchObject({ scopes: ['openid', 'wallet.read'], dailyUsd: null })
    }
    await tokenFor({ daily_usd: 7 })
    expect(await access(less)).toMatchObject({ scopes: ['openid', 'wallet.read'] })
    expect(await access(all)).toMatchObject({ dailyUsd: 7, scopes: expect.arrayContaining(['wallet.send']) })
  })

  test('is issued to public clients in the same way', async () => {
    const { tokens } = await fixture.connect(ada, {}, 'open-notes')
    expect(tokens.token_type).toBe('dpop')
    await expect(access(tokens.access_token)).rejects.toEqual(refused())
  })
})
