/** The device key of a login, and the statements that the vault signs with it. */
import { describe, expect, it } from 'vitest'
import { testClock } from '../../testing/clock.ts'
import { emptyDisk, memoryDatabase } from '../../testing/memory-database.ts'
import { ask, beginIn, newVault } from '../../testing/test-wallet.ts'
import { createVault, type Vault } from '../vault.ts'

const appId = 'a'.repeat(25)
const user = { appId, userId: 'user_1' }
const dialogKey = 'k'.repeat(43)
const address = `0x${'1'.repeat(40)}`
const notBound = expect.objectContaining({ code: 'device_not_bound' })

async function read(jws: string) {
  const [header = '', payload = '', signature = ''] = jws.split('.')
  const { jwk, ...head } = JSON.parse(Buffer.from(header, 'base64url').toString())
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify'])
  const isSigned = await crypto.subtle.verify(
    { name: 'ECDSA', hash: 'SHA-256' },
    key,
    Buffer.from(signature, 'base64url'),
    Buffer.from(`${header}.${payload}`),
  )
  return { head, jwk, claims: JSON.parse(Buffer.from(payload, 'base64url').toString()), isSigned }
}

async function stateLogin(vault: Vault) {
  const { operation, publicKey } = await beginIn(vault)
  const login = {
    purpose: 'login',
    operation,
    address: null,
    digest: null,
    dialogKey,
    appId,
    userId: null,
  } as const
  const { statement } = await ask(vault, 'state', login)
  return { operation, publicKey, statement, login }
}
async function logIn(vault: Vault, of = user) {
  const made = await stateLogin(vault)
  await ask(vault, 'fileDevice', { operationId: made.operation.id, ...of })
  return { ...made, device: (await read(made.statement)).jwk }
}
async function stateStep(vault: Vault, of = user) {
  const { operation, publicKey } = await beginIn(vault)
  const digest = `0x${'d1'.repeat(32)}`
  const { statement } = await ask(vault, 'state', {
    purpose: 'sign',
    operation,
    address,
    digest,
    dialogKey,
    ...of,
  })
  return { operation, publicKey, digest, ...(await read(statement)) }
}

describe('a login', () => {
  it('is stated with its own device key, for the key of its operation', async () => {
    const vault = newVault(emptyDisk())
    const { statement, operation, publicKey } = await stateLogin(vault)
    const { head, claims, isSigned, jwk } = await read(statement)
    expect(head).toEqual({ typ: 'latchkey-device+jwt', alg: 'ES256' })
    expect(jwk).toEqual({ kty: 'EC', crv: 'P-256', x: expect.any(String), y: expect.any(String) })
    expect(claims).toEqual({
      aud: appId,
      vpk: publicKey,
      purpose: 'login',
      op: operation,
      address: null,
      digest: null,
      jkt: dialogKey,
    })
    expect(isSigned).toBe(true)
  })

  it('keeps its device key if it is stated again, and the next login gets another', async () => {
    const vault = newVault(emptyDisk())
    const { login, statement } = await stateLogin(vault)
    const again = await ask(vault, 'state', login)
    const first = await read(statement)
    expect((await read(again.statement)).jwk).toEqual(first.jwk)
    expect((await read((await stateLogin(vault)).statement)).jwk).not.toEqual(first.jwk)
  })

  it('has no user, while every other step has one', async () => {
    const vault = newVault(emptyDisk())
    const { login } = await stateLogin(vault)
    const refused = expect.objectContaining({ code: 'invalid_request_arguments' })
    await expect(ask(vault, 'state', { ...login, userId: 'user_1' })).rejects.toEqual(refused)
    await expect(ask(vault, 'state', { ...login, purpose: 'sign' })).rejects.toEqual(refused)
  })

  it('cannot store its device key if it was never stated', async () => {
    const vault = newVault(emptyDisk())
    const { operation } = await beginIn(vault)
    await expect(ask(vault, 'fileDevice', { operationId: operation.id, ...user })).rejects.toMatchObject({
      code: 'vault_operation_unknown',
    })
  })

  it('cannot store its device key after its operation ended', async () => {
    const vault = newVault(emptyDisk())
    const { operation } = await stateLogin(vault)
    await ask(vault, 'end', { operationId: operation.id })
    await expect(ask(vault, 'fileDevice', { operationId: operation.id, ...user })).rejects.toMatchObject({
      code: 'vault_operation_unknown',
    })
  })
})

describe('the device key of a login', () => {
  it('is stored once, and then keeps no vault open', async () => {
    const vault = newVault(emptyDisk())
    const { operation } = await logIn(vault)
    const again = ask(vault, 'fileDevice', { operationId: operation.id, ...user })
    await expect(again).rejects.toMatchObject({ code: 'vault_operation_unknown' })
    const ended = await vault.call({ id: 'x', name: 'end', input: { operationId: operation.id } })
    expect(ended).toEqual({ ok: true, value: {}, openForMs: 0 })
  })

  it('is stored as two keys, of which the private one is not extractable', async () => {
    const disk = emptyDisk()
    await logIn(newVault(disk))
    const { privateKey, publicKey } = disk.signer as CryptoKeyPair
    expect([privateKey, publicKey]).toEqual([expect.any(CryptoKey), expect.any(CryptoKey)])
    expect([privateKey.type, privateKey.extractable, publicKey.type]).toEqual(['private', false, 'public'])
  })

  it('counts as stored only after it was written to disk', async () => {
    const written = Promise.withResolvers<void>()
    const vault = createVault({
      openDatabase: () => ({ ...memoryDatabase(emptyDisk()), writeSigner: () => written.promise }),
      clock: testClock(),
    })
    const { operation } = await stateLogin(vault)
    let isFiled = false
    const filing = ask(vault, 'fileDevice', { operationId: operation.id, ...user }).then(() => {
      isFiled = true
    })
    // Another login takes longer than the remaining work of the first one.
    await stateLogin(vault)
    expect(isFiled).toBe(false)
    written.resolve()
    await filing
  })
})

describe('a step', () => {
  it("is stated with the login's key, also in another vault of this device", async () => {
    const disk = emptyDisk()
    const { device } = await logIn(newVault(disk))
    const later = newVault(disk)
    const { jwk, claims, isSigned, operation, publicKey, digest } = await stateStep(later)
    expect(jwk).toEqual(device)
    expect(isSigned).toBe(true)
    expect(claims).toEqual({
      aud: appId,
      vpk: publicKey,
      purpose: 'sign',
      op: operation,
      address,
      digest,
      jkt: dialogKey,
    })
  })

  it('is stated only in the vault that has its operation', async () => {
    const vault = newVault(emptyDisk())
    await logIn(vault)
    const operation = { id: 'operation_of_another', step: 1 }
    const step = { purpose: 'sign', operation, address, digest: null, dialogKey, ...user } as const
    await expect(ask(vault, 'state', step)).rejects.toMatchObject({ code: 'vault_operation_unknown' })
  })

  it('of an export is stated for the key of the export window, in an operation of this vault', async () => {
    const vault = newVault(emptyDisk())
    const { device } = await logIn(vault)
    const { operation } = await beginIn(vault)
    const vaultKey = 'A'.repeat(87)
    const step = {
      purpose: 'export',
      operation,
      address,
      digest: null,
      dialogKey,
      vaultKey,
      ...user,
    } as const
    const { statement } = await ask(vault, 'stateExport', step)
    const { claims, jwk, isSigned } = await read(statement)
    expect([jwk, isSigned]).toEqual([device, true])
    expect(claims).toEqual({
      aud: appId,
      vpk: vaultKey,
      purpose: 'export',
      op: operation,
      address,
      digest: null,
      jkt: dialogKey,
    })
    const another = { ...step, operation: { id: 'operation_of_another', step: 1 } }
    await expect(ask(vault, 'stateExport', another)).rejects.toMatchObject({
      code: 'vault_operation_unknown',
    })
    const forSignature = { ...step, purpose: 'sign' } as unknown as typeof step
    await expect(ask(vault, 'stateExport', forSignature)).rejects.toMatchObject({
      code: 'invalid_request_arguments',
    })
  })

  it('is not stated before a login, nor for another user of the device', async () => {
    const disks = new Map([[user.userId, emptyDisk()]])
    const vault = createVault({
      openDatabase: ({ userId }) => memoryDatabase(disks.get(userId) ?? emptyDisk()),
      clock: testClock(),
    })
    await expect(stateStep(vault)).rejects.toEqual(notBound)
    await logIn(vault)
    await expect(stateStep(vault, { appId, userId: 'user_2' })).rejects.toEqual(notBound)
    expect((await stateStep(vault)).isSigned).toBe(true)
  })

  it('is stated with the key of the last login', async () => {
    const vault = newVault(emptyDisk())
    const first = await logIn(vault)
    const second = await logIn(vault)
    const { jwk } = await stateStep(vault)
    expect(jwk).toEqual(second.device)
    expect(jwk).not.toEqual(first.device)
  })
})

describe('a browser that refuses storage', () => {
  const vaultWithout = (clock: ReturnType<typeof testClock>) =>
    createVault({
      clock,
      openDatabase: () => ({
        ...memoryDatabase(emptyDisk()),
        writeSigner: () => Promise.reject(new Error('No room')),
        readSigner: () => Promise.reject(new Error('Blocked')),
      }),
    })

  it('has the device key as long as the vault lives, which stays open for it', async () => {
    const clock = testClock()
    const vault = vaultWithout(clock)
    const { device } = await logIn(vault)
    expect((await stateStep(vault)).jwk).toEqual(device)
    clock.advance(11 * 60_000)
    const answer = await vault.call({ id: 'x', name: 'begin', input: {} })
    expect(answer.openForMs).toBe(24 * 60 * 60_000)
    await expect(stateStep(vaultWithout(clock))).rejects.toEqual(notBound)
  })

  it('has a device key for each of its users', async () => {
    const vault = vaultWithout(testClock())
    const other = { appId, userId: 'user_2' }
    const [mine, theirs] = [await logIn(vault), await logIn(vault, other)]
    expect((await stateStep(vault)).jwk).toEqual(mine.device)
    expect((await stateStep(vault, other)).jwk).toEqual(theirs.device)
    await expect(stateStep(vault, { appId, userId: 'user_3' })).rejects.toEqual(notBound)
  })
})

it('ignores a stored value that is not a key pair', async () => {
  const disk = emptyDisk()
  await logIn(newVault(disk))
  const { privateKey, publicKey } = disk.signer as CryptoKeyPair
  const halves = [
    { privateKey, publicKey: 'key' },
    { privateKey: 'no', publicKey },
  ]
  for (const signer of [...halves, 'a text', null, { privateKey: 'no', publicKey: 'key' }, {}]) {
    disk.signer = signer
    await expect(stateStep(newVault(disk))).rejects.toEqual(notBound)
  }
})

it('proves a call with a wallet token by the same key (RFC 9449), with the hashes of token and body', async () => {
  const vault = newVault(emptyDisk())
  const { device } = await logIn(vault)
  const { proof } = await ask(vault, 'prove', {
    ...user,
    method: 'POST',
    url: 'https://wallet.example/api/v1/wallets/shares',
    requestId: 'request_1',
    tokenHash: 't'.repeat(43),
    bodyHash: 'b'.repeat(43),
    atSeconds: 1_800_000_000,
  })
  const { head, jwk, claims, isSigned } = await read(proof)
  expect(head).toEqual({ typ: 'dpop+jwt', alg: 'ES256' })
  expect(jwk).toEqual(device)
  expect(isSigned).toBe(true)
  expect(claims).toEqual({
    jti: 'request_1',
    htm: 'POST',
    htu: 'https://wallet.example/api/v1/wallets/shares',
    iat: 1_800_000_000,
    ath: 't'.repeat(43),
    bth: 'b'.repeat(43),
  })
})

describe('an approval', () => {
  const asked = { handle: 'h'.repeat(43), digest: `0x${'d1'.repeat(32)}` }

  it("is signed with the login's key, over the request and its digest, under its own type", async () => {
    const vault = newVault(emptyDisk())
    const { device } = await logIn(vault)
    const { statement } = await ask(vault, 'approve', { ...user, ...asked })
    expect(await read(statement)).toEqual({
      head: { typ: 'latchkey-decision+jwt', alg: 'ES256' },
      jwk: device,
      claims: { aud: appId, decision: 'approve', ...asked },
      isSigned: true,
    })
  })

  it('is not signed if the key is lost', async () => {
    await expect(ask(newVault(emptyDisk()), 'approve', { ...user, ...asked })).rejects.toEqual(notBound)
  })
})
