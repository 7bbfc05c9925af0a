/** Secrets in memory after a call of the vault: every array that its own code made is checked. */
import type { SealedShare, ShareContext, StoredRecoveryShare } from '@latchkey/protocol/wallet'
import { afterEach, expect, it } from 'vitest'
import { helloDigest } from '../testing/digests.ts'
import { emptyDisk, memoryDatabase } from '../testing/memory-database.ts'
import { sealPasskey, sealToVault } from '../testing/server/sealing-server.ts'
import {
  ask,
  type Begun,
  beginIn,
  creation,
  line,
  newVault,
  server,
  shareOf,
  testWallet,
} from '../testing/test-wallet.ts'
import { createDeviceStore } from './device/store.ts'
import { deriveSignerKey } from './farcaster-signer.ts'
import { deriveEvmAddress, deriveSolanaKey } from './keys/derivation.ts'
import { entropyToSeed, mnemonicBytes } from './keys/entropy.ts'
import { slip10 } from './keys/slip10.ts'
import { derivePasskeyKey } from './recovery/passkey.ts'
import { openEnvelope } from './shares/envelope.ts'
import { combineShares, splitSecret } from './shares/shamir.ts'

const Original = globalThis.Uint8Array
const use = (arrays: typeof Original) => {
  globalThis.Uint8Array = arrays
  Original.prototype.constructor = arrays
}
afterEach(() => use(Original))

/**
 * Records every array that is made from now on, copies included. Copies inside the engine are out of reach.
 */
function recordArrays(): readonly Uint8Array[] {
  const made: Uint8Array[] = []
  use(
    new Proxy(Original, {
      construct(target, given) {
        const array: Uint8Array = Reflect.construct(target, given)
        made.push(array)
        return array
      },
    }),
  )
  return made
}

const holds = (secret: Uint8Array) => (array: Uint8Array) => Buffer.from(array).includes(Buffer.from(secret))
const entropy = Original.from({ length: 16 }, (_, at) => at + 100)
/** Returns whether the array is a point of the library: as long as the secret, plus its x. */
const isPoint = (array: Uint8Array) => array.length === 17 && array.some((byte) => byte !== 0)
/** Returns the value of a share without its header. */
const bodyOf = (share: Uint8Array) => Original.from(share).subarray(-16)

type Made = { address: string; auth: SealedShare; recovery: StoredRecoveryShare }
/** Returns the original shares, which the server opens after the arrays were recorded. */
async function sharesOf({ address, auth, recovery }: Made) {
  const wallet = { ...line, address }
  return [
    bodyOf(await server.open(auth, { ...wallet, role: 'auth' })),
    bodyOf(await server.open(shareOf(recovery), { ...wallet, role: 'recovery' })),
  ]
}

/** The inputs of key derivation. The libraries leave copies of the key itself and of intermediate nodes. */
const sentenceAndSeed = async () => [mnemonicBytes(entropy), await entropyToSeed(entropy)]

it('leaves no entropy, share, mnemonic or seed in memory after a creation', async () => {
  const secrets = [entropy, ...(await sentenceAndSeed())]
  const vault = newVault(emptyDisk(), entropy)
  const recorded = recordArrays()
  const made = await ask(vault, 'create', creation)
  use(Original)
  // Without any record this test would check nothing.
  expect(recorded.length).toBeGreaterThan(20)
  for (const secret of [...secrets, ...(await sharesOf(made))]) {
    expect(recorded.filter(holds(secret))).toEqual([])
  }
  // Two points reveal the secret. One alone is a share if its random x happens to be that of a role.
  expect(recorded.filter(isPoint)).toEqual([])
})

it('leaves no combined value in memory if two shares do not match the address', async () => {
  const { device, auth } = await splitSecret(entropy, line)
  const elsewhere = await deriveEvmAddress(new Original(16))
  const recorded = recordArrays()
  await expect(combineShares(device, auth, elsewhere)).rejects.toMatchObject({ code: 'share_mismatch' })
  use(Original)
  expect(recorded.length).toBeGreaterThan(5)
  expect(recorded.filter(holds(entropy))).toEqual([])
})

it('wipes a share that was opened but could not be promoted', async () => {
  const disk = emptyDisk()
  const { wallet } = await testWallet(disk, entropy)
  const { change, ...rest } = memoryDatabase(disk)
  const open = (isFull: boolean) => {
    let changes = 0
    return createDeviceStore({
      ...rest,
      change: async (decide) => {
        changes += 1
        if (isFull && changes === 2) throw new Error('The disk is full')
        return change(decide)
      },
    })
  }
  const recorded = recordArrays()
  await expect(open(true).read(wallet)).rejects.toThrow('The disk is full')
  use(Original)
  const share = await open(false).read(wallet)
  expect(recorded.length).toBeGreaterThan(5)
  expect(recorded.filter(holds(share.y))).toEqual([])
})

it.each(['recover', 'sign'] as const)(
  'leaves no entropy, share, mnemonic or seed in memory after %s',
  async (name) => {
    const disk = emptyDisk()
    const made = await testWallet(disk, entropy)
    await made.adopt()
    const secrets = [entropy, ...(await sentenceAndSeed()), ...(await sharesOf(made.made))]
    const vault = newVault(disk)
    const { operation, publicKey } = await beginIn(vault)
    const step = { wallet: made.wallet, operation }
    const signed = name === 'sign' ? helloDigest : null
    const auth = await made.release({ operation, publicKey }, 'auth', {}, signed)
    const recovery = await made.release({ operation, publicKey }, 'recovery')
    const recorded = recordArrays()
    if (name === 'recover') await ask(vault, 'recover', { ...step, auth, recovery })
    else {
      const request = { method: 'personal_sign', params: ['hello', made.wallet.address] } as const
      await ask(vault, 'sign', { ...step, auth, request: { ...request, params: [...request.params] } })
    }
    use(Original)
    expect(recorded.length).toBeGreaterThan(20)
    for (const secret of secrets) expect(recorded.filter(holds(secret))).toEqual([])
  },
)

/** The PRF output of the passkey, which the window seals. */
const passkeySecret = Original.from({ length: 32 }, (_, at) => at + 150)
const credentialId = 'cGFzc2tleQ'
/** The server's data of a wallet under a passkey, with the unsealed envelope. */
async function storedUnderPasskey(made: Made, generation = 1) {
  const wallet = { ...line, generation, address: made.address }
  if (made.recovery.method !== 'passkey') throw new Error('It is kept in another way')
  const auth = await server.open(made.auth, { ...wallet, role: 'auth' })
  const envelope = await server.open(made.recovery.envelope, { ...wallet, role: 'recovery' })
  const context: ShareContext = { ...wallet, role: 'recovery' }
  const key = await derivePasskeyKey(Promise.resolve(passkeySecret.slice()), context)
  const share = await openEnvelope(key, JSON.parse(new TextDecoder().decode(envelope)), context)
  return { wallet, auth, envelope, shares: [bodyOf(auth), bodyOf(share)] }
}
const given = async ({ publicKey, operation }: Begun) => ({
  method: 'passkey' as const,
  credentialId,
  secret: await sealPasskey(publicKey, passkeySecret.slice(), operation),
})

it('leaves no PRF output, share or entropy in memory after a creation with a passkey', async () => {
  const secrets = [entropy, passkeySecret, ...(await sentenceAndSeed())]
  const vault = newVault(emptyDisk(), entropy)
  const begun = await beginIn(vault)
  const recoveryStorage = await given(begun)
  const recorded = recordArrays()
  const made = await ask(vault, 'create', { ...creation, operation: begun.operation, recoveryStorage })
  use(Original)
  expect(recorded.length).toBeGreaterThan(20)
  const { shares } = await storedUnderPasskey(made)
  for (const secret of [...secrets, ...shares]) expect(recorded.filter(holds(secret))).toEqual([])
})

it('leaves no PRF output or share of either generation in memory after setting a passkey', async () => {
  const disk = emptyDisk()
  const before = await testWallet(disk, entropy)
  await before.adopt()
  const secrets = [entropy, passkeySecret, ...(await sentenceAndSeed()), ...(await sharesOf(before.made))]
  const vault = newVault(disk)
  const begun = await beginIn(vault)
  const [auth, recoveryStorage] = [
    await before.release(begun, 'auth', {}, null, 'set-recovery'),
    await given(begun),
  ]
  const { operation } = begun
  const recorded = recordArrays()
  const made = await ask(vault, 'reshare', {
    wallet: before.wallet,
    operation,
    auth,
    generation: 2,
    serverKey: server.key,
    recoveryStorage,
  })
  use(Original)
  const { address } = before.wallet
  const stored = await storedUnderPasskey({ ...made, address }, 2)
  const context = (role: 'auth' | 'recovery') => ({ ...stored.wallet, role })
  const newAuth = await sealToVault(
    begun.publicKey,
    stored.auth,
    context('auth'),
    operation,
    null,
    'set-recovery',
  )
  const envelope = await sealToVault(
    begun.publicKey,
    stored.envelope,
    context('recovery'),
    operation,
    null,
    'set-recovery',
  )
  const again = recordArrays()
  await ask(vault, 'confirm', {
    wallet: stored.wallet,
    operation,
    auth: newAuth,
    recovery: { method: 'passkey', envelope },
  })
  use(Original)
  for (const arrays of [recorded, again]) {
    expect(arrays.length).toBeGreaterThan(20)
    for (const secret of [...secrets, ...stored.shares]) expect(arrays.filter(holds(secret))).toEqual([])
  }
})

it('leaves no PRF output, share or entropy in memory after a recovery by a passkey', async () => {
  const vault = newVault(emptyDisk(), entropy)
  const begun = await beginIn(vault)
  const recoveryStorage = await given(begun)
  const made = await ask(vault, 'create', { ...creation, operation: begun.operation, recoveryStorage })
  const { wallet, auth, envelope, shares } = await storedUnderPasskey(made)
  const secrets = [entropy, passkeySecret, ...(await sentenceAndSeed()), ...shares]
  const device = newVault(emptyDisk())
  const there = await beginIn(device)
  const { operation, publicKey } = there
  const sealedTo = (bytes: Uint8Array<ArrayBuffer>, role: 'auth' | 'recovery') =>
    sealToVault(publicKey, bytes, { ...wallet, role }, operation)
  const input = {
    wallet,
    operation,
    secret: (await given(there)).secret,
    auth: await sealedTo(auth, 'auth'),
    recovery: await sealedTo(envelope, 'recovery'),
  }
  const recorded = recordArrays()
  expect(await ask(device, 'recoverByPasskey', input)).toEqual({ address: wallet.address })
  use(Original)
  expect(recorded.length).toBeGreaterThan(20)
  for (const secret of secrets) expect(recorded.filter(holds(secret))).toEqual([])
})

it('wipes a PRF output that opens nothing', async () => {
  const vault = newVault(emptyDisk(), entropy)
  const begun = await beginIn(vault)
  const recoveryStorage = await given(begun)
  const made = await ask(vault, 'create', { ...creation, operation: begun.operation, recoveryStorage })
  const { wallet, auth, envelope } = await storedUnderPasskey(made)
  const device = newVault(emptyDisk())
  const { operation, publicKey } = await beginIn(device)
  const other = passkeySecret.map((byte) => byte + 1)
  const input = {
    wallet,
    operation,
    secret: await sealPasskey(publicKey, other.slice(), operation),
    auth: await sealToVault(publicKey, auth, { ...wallet, role: 'auth' }, operation),
    recovery: await sealToVault(publicKey, envelope, { ...wallet, role: 'recovery' }, operation),
  }
  const recorded = recordArrays()
  await expect(ask(device, 'recoverByPasskey', input)).rejects.toMatchObject({ code: 'envelope_refused' })
  use(Original)
  expect(recorded.length).toBeGreaterThan(10)
  for (const secret of [other, bodyOf(auth)]) expect(recorded.filter(holds(secret))).toEqual([])
})

it('derives a Solana key without leaving its inputs in memory', async () => {
  const seed = await entropyToSeed(entropy)
  const path = [44, 501, 0, 0]
  const nodes = path.map((_, length) => slip10(seed, path.slice(0, length)))
  const { key, chainCode } = slip10(seed, path)
  const secrets = [mnemonicBytes(entropy), seed, key, chainCode].concat(
    nodes.flatMap((node) => [node.key, node.chainCode]),
  )
  const recorded = recordArrays()
  const made = await deriveSolanaKey(entropy.slice())
  use(Original)
  expect(made).toEqual(key)
  made.fill(0)
  for (const secret of secrets) expect(recorded.filter(holds(secret))).toEqual([])
})

it('derives a Farcaster key without leaving its inputs in memory', async () => {
  const seed = await entropyToSeed(entropy)
  const { key, chainCode } = slip10(seed, [0x66617263, 0, 3])
  const recorded = recordArrays()
  const made = await deriveSignerKey(entropy.slice(), 3)
  use(Original)
  expect(made).toEqual(key)
  made.fill(0)
  for (const secret of [mnemonicBytes(entropy), seed, key, chainCode]) {
    expect(recorded.filter(holds(secret))).toEqual([])
  }
})
