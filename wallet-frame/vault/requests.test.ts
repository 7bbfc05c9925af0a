/** The schemas of the vault's requests: each valid request, and variants with one change. */
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { vaultInputs } from './requests.ts'

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const line = {
  appId: 'a'.repeat(25),
  userId: 'user_1',
  walletId: 'wallet_1',
  kind: 'entropy',
  chain: 'ethereum',
  generation: 1,
}
const wallet = { ...line, address }
const operation = { id: 'operation_1', step: 1 }
const sealed = { v: 1, enc: 'AAAA', ct: 'AAAA' }
const serverKey = { id: 'seal_1', publicKey: 'A'.repeat(87) }
const params = { salt: 'A'.repeat(22), memoryKib: 65_536, iterations: 3, parallelism: 1 }
const byPassword = { method: 'user-passcode', password: sealed }
const byPasskey = { method: 'passkey', secret: sealed, credentialId: 'cGFzc2tleQ' }
const request = { method: 'personal_sign', params: ['hello', address] }

type Input = Readonly<Record<string, unknown>>
/** One valid input of each request, with every optional field. */
const right: { [Name in keyof typeof vaultInputs]: Input } = {
  begin: {},
  end: { operationId: 'operation_1' },
  state: {
    operation,
    purpose: 'sign',
    address,
    digest: `0x${'d1'.repeat(32)}`,
    dialogKey: 'k'.repeat(43),
    appId: line.appId,
    userId: 'user_1',
  },
  stateExport: {
    operation,
    purpose: 'export',
    address,
    digest: `0x${'d1'.repeat(32)}`,
    dialogKey: 'k'.repeat(43),
    appId: line.appId,
    userId: 'user_1',
    vaultKey: 'A'.repeat(87),
  },
  fileDevice: { operationId: 'operation_1', appId: line.appId, userId: 'user_1' },
  approve: {
    appId: line.appId,
    userId: 'user_1',
    handle: 'h'.repeat(43),
    digest: `0x${'d1'.repeat(32)}`,
  },
  prove: {
    appId: line.appId,
    userId: 'user_1',
    method: 'POST',
    url: 'https://wallet.example/api/v1/wallets/shares',
    requestId: 'request_1',
    tokenHash: 't'.repeat(43),
    bodyHash: 'b'.repeat(43),
    atSeconds: 1_800_000_000,
  },
  enter: { operation, kind: 'sign' },
  create: { line, serverKey, operation, importedKey: sealed, recoveryStorage: byPassword },
  adopt: { wallet },
  recover: { wallet, operation, auth: sealed, recovery: sealed, file: '{}' },
  unlock: { wallet, operation, password: sealed, params, serverKey },
  recoverUnlocked: { wallet, operation, auth: sealed, recoveryEnvelope: '{}' },
  recoverByPasskey: { wallet, operation, secret: sealed, auth: sealed, recovery: sealed },
  reshare: { wallet, operation, auth: sealed, generation: 2, serverKey, recoveryStorage: byPasskey },
  confirm: { wallet, operation, auth: sealed, recovery: { method: 'icloud', envelope: sealed }, file: '{}' },
  sign: { wallet, operation, auth: sealed, request },
  farcasterSigner: { wallet, operation, auth: sealed, keyIndex: 0, hash: 'A'.repeat(27) },
  proveSolanaAddress: { wallet, operation, auth: sealed },
  sealForExport: { wallet, operation, vaultKey: 'A'.repeat(87) },
  stop: { call: '1' },
}
/** Fields that may be null: for a login, and for requests without an approval. */
const nullable = ['address', 'digest', 'userId']
const optional = ['importedKey', 'recoveryStorage', 'file', 'hash']
const names = Object.keys(vaultInputs) as (keyof typeof vaultInputs)[]
const takes = (name: keyof typeof vaultInputs, input: unknown) => v.is(vaultInputs[name], input)

describe.each(names)('%s', (name) => {
  it('accepts a valid input unchanged', () => {
    expect(v.parse(vaultInputs[name], right[name])).toEqual(right[name])
  })

  it('rejects unknown fields and values of other types', () => {
    expect(takes(name, { ...right[name], also: 1 })).toBe(false)
    for (const field of Object.keys(right[name])) {
      for (const other of [...(nullable.includes(field) ? [] : [null]), 1.5, [], { also: 1 }]) {
        expect(takes(name, { ...right[name], [field]: other }), `${field} ${JSON.stringify(other)}`).toBe(
          false,
        )
      }
    }
  })

  it('requires each field that is not optional', () => {
    for (const left of Object.keys(right[name])) {
      // A new wallet's recovery share may be stored by the server; a reshare always needs a method of the
      // user.
      const mayBeLeftOut = optional.includes(left) && !(name === 'reshare' && left === 'recoveryStorage')
      const rest = Object.fromEntries(Object.entries(right[name]).filter(([field]) => field !== left))
      expect(takes(name, rest), left).toBe(mayBeLeftOut)
      if (mayBeLeftOut) expect(takes(name, { ...rest, [left]: undefined }), left).toBe(false)
    }
  })
})

describe('a wallet', () => {
  const fits = (change: object) => takes('adopt', { wallet: { ...wallet, ...change } })

  it.each(Object.keys(wallet))('requires %s', (left) => {
    expect(
      takes('adopt', {
        wallet: Object.fromEntries(Object.entries(wallet).filter(([field]) => field !== left)),
      }),
    ).toBe(false)
    expect(fits({})).toBe(true)
  })

  it('has a generation from 1, and a known kind and chain', () => {
    for (const generation of [0, -1, 1.5, 2 ** 53, '1']) expect(fits({ generation })).toBe(false)
    for (const generation of [1, 2, 2 ** 53 - 1]) expect(fits({ generation })).toBe(true)
    for (const kind of ['seed', '', 'Entropy']) expect(fits({ kind })).toBe(false)
    expect(fits({ kind: 'imported-key' })).toBe(true)
    for (const chain of ['bitcoin', '', 'Ethereum']) expect(fits({ chain })).toBe(false)
    expect(fits({ chain: 'solana', address: 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk' })).toBe(true)
    expect(fits({ also: 1 })).toBe(false)
  })

  it('that is to be created has no address yet', () => {
    expect(takes('create', { line, serverKey, operation })).toBe(true)
    expect(takes('create', { line: wallet, serverKey, operation })).toBe(false)
    expect(takes('create', { line, serverKey, operation, importedKey: { v: 1, enc: 'AAAA' } })).toBe(false)
  })
})

describe('a recovery method of the user', () => {
  const isStorage = (recoveryStorage: unknown) => takes('reshare', { ...right.reshare, recoveryStorage })
  const ways = [byPassword, byPasskey, { method: 'google-drive' }, { method: 'icloud' }] as readonly Input[]

  it.each(ways)('may be $method, with exactly its fields', (way) => {
    expect(isStorage(way)).toBe(true)
    expect(isStorage({ ...way, also: 1 })).toBe(false)
    for (const left of Object.keys(way)) {
      expect(
        isStorage(Object.fromEntries(Object.entries(way).filter(([field]) => field !== left))),
        left,
      ).toBe(false)
    }
  })

  it.each(['latchkey', 'dropbox', ''])('cannot be %j', (method) => {
    for (const way of ways) expect(isStorage({ ...way, method })).toBe(false)
  })
})

it('accepts each kind of operation, and no other', () => {
  const enters = (kind: string) => takes('enter', { operation, kind })
  for (const kind of [
    'create',
    'import',
    'connect',
    'recover',
    'sign',
    'farcaster-signer',
    'farcaster-sign',
    'create-with-password',
    'import-with-password',
    'recover-with-password',
    'set-password',
    'set-file',
    'create-with-passkey',
    'import-with-passkey',
    'recover-with-passkey',
    'set-passkey',
  ]) {
    expect(enters(kind), kind).toBe(true)
  }
  for (const kind of ['export', 'constructor', '']) expect(enters(kind), kind).toBe(false)
})
