/** A reshared wallet: creation, confirmation of the server's shares, and recovery by the user. */
import type { ShareContext, StoredOwnRecovery } from '@latchkey/protocol/wallet'
import { describe, expect, it } from 'vitest'
import { emptyDisk } from '../testing/memory-database.ts'
import { sealPasskey, sealPassword, sealToVault } from '../testing/server/sealing-server.ts'
import {
  ask,
  type Begun,
  beginIn,
  creation,
  line,
  newVault,
  server,
  signIn,
  testWallet,
} from '../testing/test-wallet.ts'
import { derivePasskeyKey } from './recovery/passkey.ts'
import { sealUnderPasskey } from './shares/envelope.ts'
import { splitSecret } from './shares/shamir.ts'
import { encodeShare } from './shares/share.ts'

const entropy = Uint8Array.from({ length: 16 }, (_, at) => at + 100)
const passkeySecret = Uint8Array.from({ length: 32 }, (_, at) => at + 150)
const credentialId = 'cGFzc2tleQ'
const failure = (code: string, reason: string) => expect.objectContaining({ code, details: { reason } })

const given = async ({ publicKey, operation }: Begun) => ({
  method: 'passkey' as const,
  credentialId,
  secret: await sealPasskey(publicKey, passkeySecret.slice(), operation),
})

/** A wallet of which this device has created the second generation, with the server's data. */
async function reshared(method: 'passkey' | 'icloud' | 'google-drive') {
  const disk = emptyDisk()
  const before = await testWallet(disk, entropy)
  await before.adopt()
  const vault = newVault(disk)
  const begun = await beginIn(vault)
  const made = await ask(vault, 'reshare', {
    wallet: before.wallet,
    operation: begun.operation,
    auth: await before.release(begun, 'auth', {}, null, 'set-recovery'),
    generation: 2,
    serverKey: server.key,
    recoveryStorage: method === 'passkey' ? await given(begun) : { method },
  })
  const wallet = { ...before.wallet, generation: 2 }
  const { recovery } = made
  if (recovery.method === 'user-passcode') throw new Error('It is kept in another way')
  const stored = {
    auth: await server.open(made.auth, { ...wallet, role: 'auth' }),
    envelope: await server.open(recovery.envelope, { ...wallet, role: 'recovery' }),
  }
  return { method, before, disk, vault, begun, made, wallet, stored }
}
type Reshared = Awaited<ReturnType<typeof reshared>>

/** Confirms the shares that the server reports as stored. */
async function confirm(
  { method, vault, begun, wallet, made }: Reshared,
  { auth, envelope }: Reshared['stored'],
  file: string | undefined = made.file,
) {
  const { publicKey, operation } = begun
  const sealed = await sealToVault(
    publicKey,
    envelope,
    { ...wallet, role: 'recovery' },
    operation,
    null,
    'set-recovery',
  )
  const recovery: StoredOwnRecovery = { method, envelope: sealed }
  return ask(vault, 'confirm', {
    wallet,
    operation,
    auth: await sealToVault(publicKey, auth, { ...wallet, role: 'auth' }, operation, null, 'set-recovery'),
    recovery,
    ...(file !== undefined && { file }),
  })
}

/** Shares of another line through the same secret, each valid in itself. */
async function others(wallet: Reshared['wallet']) {
  const shares = await splitSecret(entropy, wallet)
  const context: ShareContext = { ...wallet, role: 'recovery' }
  const key = await derivePasskeyKey(Promise.resolve(passkeySecret.slice()), context)
  const envelope = await sealUnderPasskey(key, encodeShare(shares.recovery), context)
  return { auth: encodeShare(shares.auth), envelope: new TextEncoder().encode(JSON.stringify(envelope)) }
}

describe('a generation with recovery by a passkey', () => {
  it("is confirmed if the server's shares open with each other and with this device's share", async () => {
    const mine = await reshared('passkey')
    expect(await confirm(mine, mine.stored)).toEqual({})
  })

  it('is rejected if the recovery share is of another line', async () => {
    const mine = await reshared('passkey')
    const { envelope } = await others(mine.wallet)
    await expect(confirm(mine, { ...mine.stored, envelope })).rejects.toEqual(
      failure('share_mismatch', 'wrong_address'),
    )
  })

  it("is rejected if both shares of the server are of another line than this device's share", async () => {
    const mine = await reshared('passkey')
    await expect(confirm(mine, await others(mine.wallet))).rejects.toEqual(
      failure('share_mismatch', 'wrong_address'),
    )
  })

  it('keeps the share of the previous generation, which still signs', async () => {
    const { before, disk, wallet } = await reshared('passkey')
    const { address } = wallet
    expect([...disk.records.keys()]).toEqual(['committed:wallet_1:1', `pending:wallet_1:2:${address}`])
    expect((await signIn(newVault(disk), before)).address).toBe(address)
  })
})

describe('a generation with recovery by a file', () => {
  it.each(['icloud', 'google-drive'] as const)(
    'of %s is confirmed with its file, and with no other',
    async (method) => {
      const [mine, another] = [await reshared(method), await reshared(method)]
      await expect(confirm(mine, mine.stored, another.made.file)).rejects.toEqual(
        failure('envelope_refused', 'not_authentic'),
      )
      expect(await confirm(another, another.stored)).toEqual({})
    },
  )

  it('recovers on a new device with the file', async () => {
    const { wallet, stored, made } = await reshared('icloud')
    const recover = async (file: string | undefined) => {
      const vault = newVault(emptyDisk())
      const { operation, publicKey } = await beginIn(vault)
      const seal = (bytes: Uint8Array<ArrayBuffer>, role: 'auth' | 'recovery') =>
        sealToVault(publicKey, bytes, { ...wallet, role }, operation)
      return ask(vault, 'recover', {
        wallet,
        operation,
        auth: await seal(stored.auth, 'auth'),
        recovery: await seal(stored.envelope, 'recovery'),
        ...(file !== undefined && { file }),
      })
    }
    await expect(recover(undefined)).rejects.toMatchObject({ code: expect.stringMatching(/^share_/) })
    expect(await recover(made.file)).toEqual({ address: wallet.address })
  })
})

describe('a wallet under a password', () => {
  const password = 'correct-horse-battery'

  it('is recovered in two requests: the first proves the password, the second opens the envelope', async () => {
    const maker = newVault(emptyDisk(), entropy)
    const begun = await beginIn(maker)
    const { operation } = begun
    await ask(maker, 'enter', { operation, kind: 'create-with-password' })
    const typed = await sealPassword(begun.publicKey, password, operation)
    const recoveryStorage = { method: 'user-passcode' as const, password: typed }
    const made = await ask(maker, 'create', { ...creation, operation, recoveryStorage })
    const wallet = { ...line, address: made.address }
    if (made.recovery.method !== 'user-passcode') throw new Error('It is kept in another way')
    const { envelope, access } = made.recovery
    const context: ShareContext = { ...wallet, role: 'recovery' }

    const disk = emptyDisk()
    const vault = newVault(disk)
    const there = await beginIn(vault)
    const shown = await ask(vault, 'unlock', {
      wallet,
      operation: there.operation,
      password: await sealPassword(there.publicKey, password, there.operation),
      params: JSON.parse(envelope).params,
      serverKey: server.key,
    })
    expect(await server.open(shown.access, context, 'accessToServer')).toEqual(
      await server.open(access, context, 'accessToServer'),
    )
    const auth = await server.open(made.auth, { ...wallet, role: 'auth' })
    const recovered = await ask(vault, 'recoverUnlocked', {
      wallet,
      operation: there.operation,
      auth: await sealToVault(there.publicKey, auth, { ...wallet, role: 'auth' }, there.operation),
      recoveryEnvelope: envelope,
    })
    expect(recovered).toEqual({ address: wallet.address })
    expect([...disk.records.keys()]).toEqual(['committed:wallet_1:1'])
  })

  it('of another generation is confirmed with the key of the same step', async () => {
    const disk = emptyDisk()
    const before = await testWallet(disk, entropy)
    await before.adopt()
    const vault = newVault(disk)
    const begun = await beginIn(vault)
    const { operation, publicKey } = begun
    await ask(vault, 'enter', { operation, kind: 'set-password' })
    const made = await ask(vault, 'reshare', {
      wallet: before.wallet,
      operation,
      auth: await before.release(begun, 'auth', {}, null, 'set-recovery'),
      generation: 2,
      serverKey: server.key,
      recoveryStorage: {
        method: 'user-passcode',
        password: await sealPassword(publicKey, password, operation),
      },
    })
    if (made.recovery.method !== 'user-passcode') throw new Error('It is kept in another way')
    const wallet = { ...before.wallet, generation: 2 }
    const auth = await server.open(made.auth, { ...wallet, role: 'auth' })
    const { envelope } = made.recovery
    expect(
      await ask(vault, 'confirm', {
        wallet,
        operation,
        auth: await sealToVault(
          publicKey,
          auth,
          { ...wallet, role: 'auth' },
          operation,
          null,
          'set-recovery',
        ),
        recovery: { method: 'user-passcode', envelope },
      }),
    ).toEqual({})
  })
})
