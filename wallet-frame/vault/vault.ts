/**
 * The operations of the vault. It is the only place where a key exists, for the length of one call.
 *
 * Nothing decrypted outlives its call: each one opens what it needs, compares the derived address with the
 * pinned one before any use, and zeroes what it opened. Nothing is kept between calls but the vault's own key.
 */
import {
  LatchkeyError,
  type SealedShare,
  type ShareContext,
  toLatchkeyError,
  walletProofText,
} from '@latchkey/protocol'
import * as v from 'valibot'
import {
  type VaultAnswer,
  type VaultContract,
  type VaultOperation,
  type VaultOutput,
  vaultContract,
  vaultRequestSchema,
} from './contract.ts'
import { evmAddressOf, evmPrivateKey } from './derivation.ts'
import { createDeviceStore, type DeviceDatabase, type DeviceOwner, type DeviceStore } from './device-store.ts'
import { newEntropy } from './entropy.ts'
import { sameAddress } from './evm-address.ts'
import { makeVaultKey, sealToServer, type VaultKey } from './sealing.ts'
import { type SecretBytes, wipe, withSecret } from './secret-bytes.ts'
import { combineShares, shareFor, splitEntropy } from './shamir.ts'
import { decodeShare, encodeShare, type Share } from './share.ts'
import { signPersonalMessage } from './signing.ts'

export type VaultPorts = {
  readonly openDatabase: (owner: DeviceOwner) => DeviceDatabase
  readonly randomEntropy?: () => SecretBytes
}
type Parsed<Name extends VaultOperation> = v.InferOutput<VaultContract[Name]['input']>
type Operations = { readonly [Name in VaultOperation]: (input: Parsed<Name>) => Promise<VaultOutput<Name>> }

export type Vault = { readonly call: (request: unknown) => Promise<VaultAnswer> }

export async function createVault({ openDatabase, randomEntropy = newEntropy }: VaultPorts): Promise<Vault> {
  const vaultKey = await makeVaultKey()
  const storeOf = ({ appId, userId }: DeviceOwner) =>
    createDeviceStore(openDatabase({ appId, userId }), { appId, userId })

  const operations: Operations = {
    publicKey: async () => ({ publicKey: vaultKey.publicKey }),

    create: (input) => withSecret(randomEntropy(), (entropy) => create(entropy, input, storeOf(input))),

    promote: async (input) => {
      await storeOf(input).promote(input.address)
      return { address: input.address }
    },

    connect: async (input) => {
      await storeOf(input).adopt(input)
      return { address: input.address }
    },

    recover: (input) => recover(input, vaultKey, storeOf(input)),

    sign: (input) => sign(input, vaultKey, storeOf(input)),
  }

  return {
    call: async (request) => {
      try {
        const { operation, input } = parse(vaultRequestSchema, request)
        return { ok: true, value: await run(operations, operation, input) }
      } catch (error) {
        return { ok: false, error: toPlainError(error) }
      }
    },
  }
}

const run = <Name extends VaultOperation>(operations: Operations, name: Name, input: unknown) =>
  operations[name](parse(vaultContract[name].input, input) as Parsed<Name>)

async function create(
  entropy: SecretBytes,
  input: Parsed<'create'>,
  store: DeviceStore,
): Promise<VaultOutput<'create'>> {
  const { appId, userId, walletId, generation, serverKey } = input
  const address = await evmAddressOf(entropy)
  const shares = await splitEntropy(entropy, { walletId, generation })
  try {
    // Each pair is one way back to the wallet; all are tried while the entropy is still here to be thrown away.
    for (const [left, right] of [
      [shares.auth, shares.recovery],
      [shares.device, shares.recovery],
    ] as const) {
      await withSecret(combineShares(left, right, address), () => undefined)
    }
    const seal = async (share: Share): Promise<SealedShare> =>
      withSecret(encodeShare(share), (bytes) =>
        sealToServer(serverKey, bytes, { appId, userId, walletId, generation, role: share.role, address }),
      )
    const auth = await seal(shares.auth)
    const recovery = await seal(shares.recovery)
    await keepPending(store, shares.device, shares.auth, address)
    const proof = await withSecret(evmPrivateKey(entropy), (key) =>
      signPersonalMessage(walletProofText({ appId, userId, walletId, address }), key),
    )
    return { address, auth, recovery, proof }
  } finally {
    wipe(shares.device.y, shares.auth.y, shares.recovery.y)
  }
}

async function recover(
  input: Parsed<'recover'>,
  vaultKey: VaultKey,
  store: DeviceStore,
): Promise<VaultOutput<'recover'>> {
  const { address } = input
  assertKey(input.vaultKey, vaultKey)
  return withShare(openSealed(input.auth, { ...input, role: 'auth' }, vaultKey), (auth) =>
    withShare(openSealed(input.recovery, { ...input, role: 'recovery' }, vaultKey), async (recovery) => {
      await withSecret(combineShares(auth, recovery, address), () => undefined)
      await withShare(shareFor('device', auth, recovery), (device) =>
        keepPending(store, device, auth, address),
      )
      await store.promote(address)
      return { address }
    }),
  )
}

async function sign(
  input: Parsed<'sign'>,
  vaultKey: VaultKey,
  store: DeviceStore,
): Promise<VaultOutput<'sign'>> {
  const { address, request } = input
  const [message, signer] = request.params
  assertKey(input.vaultKey, vaultKey)
  if (!sameAddress(signer, address)) {
    throw new LatchkeyError('invalid_request_arguments', 'The request names another address than the wallet')
  }
  return withShare(store.read(input), (device) =>
    withShare(openSealed(input.auth, { ...input, role: 'auth' }, vaultKey), (auth) =>
      withSecret(combineShares(device, auth, address), (entropy) =>
        withSecret(evmPrivateKey(entropy), (key) => ({ address, data: signPersonalMessage(message, key) })),
      ),
    ),
  )
}

/** Written, read back, and tried together with another share: only then is a device share worth something. */
async function keepPending(store: DeviceStore, device: Share, other: Share, address: string): Promise<void> {
  await store.writePending(device, address)
  await withShare(store.readBack(address), (readBack) =>
    withSecret(combineShares(readBack, other, address), () => undefined),
  )
}

const openSealed = (sealed: SealedShare, context: ShareContext, vaultKey: VaultKey): Promise<Share> =>
  withSecret(vaultKey.open(sealed, context), (bytes) => decodeShare(bytes, context))

async function withShare<T>(share: Promise<Share>, use: (share: Share) => T | Promise<T>): Promise<T> {
  const opened = await share
  return withSecret(opened.y, () => use(opened))
}

function assertKey(named: string, { publicKey }: VaultKey): void {
  if (named === publicKey) return
  throw new LatchkeyError('vault_key_unknown', 'The vault began anew; ask for its key again')
}

function parse<const Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, value)
  if (parsed.success) return parsed.output
  const path = v.getDotPath(parsed.issues[0]) ?? ''
  throw new LatchkeyError('invalid_request_arguments', 'The vault refused the request', {
    details: { reason: path },
  })
}

/** Only a code, a sentence of ours and a reason leave: never a cause, a stack or a value. */
function toPlainError(error: unknown): Extract<VaultAnswer, { ok: false }>['error'] {
  const { code, message, details } = toLatchkeyError(error, 'error', 'The vault could not do this')
  const reason = v.safeParse(v.object({ reason: v.string() }), details)
  return { code, message, ...(reason.success && { details: { reason: reason.output.reason } }) }
}
