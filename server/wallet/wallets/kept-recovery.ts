/**
 * The recovery share in the form that its method keeps it in. What a password encrypted is wrapped once more here,
 * and goes out only to who knows that password; what the key in a user's own file encrypted, or the one of a passkey,
 * goes out sealed.
 */
import { createHmac } from 'node:crypto'
import { LatchkeyError } from '@latchkey/protocol'
import {
  canonicalShareContext,
  type KeptRecovery,
  keyEnvelopeSchema,
  type PasswordEnvelope,
  passkeyEnvelopeSchema,
  passwordEnvelopeSchema,
  type SealedShare,
  type ShareContext,
} from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import type { ServerContext } from '../../kernel/context.ts'
import { isSame, namingPepper, pepperNamedBy, type SealingKey } from '../../kernel/keys/keys.ts'
import { type App, nowSeconds } from '../../kernel/ports.ts'
import { invalidCommit, kmsPurposes, rewrap } from './custody.ts'
import { findNewPasskey } from './recovery-passkey-store.ts'
import { openAccess, openShare } from './sealing.ts'
import type { Wallet } from './store.ts'

export type KeptColumns = Pick<Wallet, 'recovery_method' | 'recovery_access'> & {
  readonly recovery_share: string
}

export const recoveryNotAllowed = () =>
  new LatchkeyError('disallowed_recovery_method', 'This app does not have this recovery')

/** `recovery` is of the generation of `share`. */
export async function keepRecovery(
  context: ServerContext,
  key: SealingKey,
  share: ShareContext,
  recovery: KeptRecovery,
): Promise<KeptColumns> {
  switch (recovery.method) {
    case 'latchkey':
      return {
        recovery_method: 'latchkey',
        recovery_share: await rewrap(context, key, share, 'recovery', recovery.share),
        recovery_access: null,
      }
    case 'user-passcode': {
      const { method, envelope, access } = recovery
      // A Solana wallet has automatic recovery alone.
      if (share.chain !== 'ethereum') throw recoveryNotAllowed()
      return {
        recovery_method: method,
        recovery_share: await wrapEnvelope(context, share, Buffer.from(envelope), envelopeIn(envelope)),
        recovery_access: hashOfAccess(
          context,
          await openAccess(key, access, share),
          share,
          context.keyring.pepperInUse(),
        ),
      }
    }
    case 'google-drive':
    case 'icloud': {
      const { method, envelope } = recovery
      const opened = await openShare(key, envelope, share)
      return {
        recovery_method: method,
        recovery_share: await wrapEnvelope(context, share, opened, envelopeOf(keyEnvelopeSchema, opened)),
        recovery_access: null,
      }
    }
    case 'passkey': {
      const { method, envelope, credentialId } = recovery
      if (share.chain !== 'ethereum') throw recoveryNotAllowed()
      const passkey = await findNewPasskey(context.db, share, credentialId, nowSeconds(context.clock))
      if (passkey === undefined) throw invalidCommit('There is no such new passkey of this user')
      const opened = await openShare(key, envelope, share)
      return {
        recovery_method: method,
        recovery_share: await wrapEnvelope(context, share, opened, envelopeOf(passkeyEnvelopeSchema, opened)),
        recovery_access: passkey,
      }
    }
    default:
      return recovery satisfies never
  }
}

/** As its user's side made it, whatever opens it. `read`: what it says of itself. */
function wrapEnvelope(
  { kms }: ServerContext,
  share: ShareContext,
  envelope: Uint8Array,
  read: { readonly gen: number } | undefined,
): Promise<string> {
  if (read?.gen !== share.generation) {
    throw invalidCommit('The recovery is not an envelope of this generation')
  }
  return kms.wrap(kmsPurposes.recovery, envelope, canonicalShareContext(share))
}

/** What the app has on for wallets that are made, and for those that are there. */
export function assertMethodAllowed(
  { config: { embeddedWalletConfig: wallets } }: App,
  method: KeptRecovery['method'],
  isNew: boolean,
): void {
  if (method === 'latchkey') {
    // The user says how a new wallet is kept; who has one already has said it.
    if (isNew && !wallets.requireUserOwnedRecoveryOnCreate && !wallets.requireUserPasswordOnCreate) return
    throw recoveryNotAllowed()
  }
  const isOffered = wallets.userOwnedRecoveryOptions?.includes(method) === true
  if (!isOffered && !(method === 'user-passcode' && wallets.requireUserPasswordOnCreate))
    throw recoveryNotAllowed()
}

/** As the vault made it. */
export async function passwordEnvelope(
  { kms }: ServerContext,
  wrapped: string,
  share: ShareContext,
): Promise<string> {
  const opened = await kms.unwrap(kmsPurposes.recovery, wrapped, canonicalShareContext(share))
  return Buffer.from(opened).toString()
}

/** Costs below the floor are none: whoever has the database tries no password for less. */
export function envelopeIn(text: string): PasswordEnvelope | undefined {
  try {
    return v.parse(passwordEnvelopeSchema, JSON.parse(text))
  } catch {
    return undefined
  }
}

function envelopeOf<Envelope>(
  schema: v.GenericSchema<unknown, Envelope>,
  bytes: Uint8Array,
): Envelope | undefined {
  try {
    return v.parse(schema, JSON.parse(Buffer.from(bytes).toString()))
  } catch {
    return undefined
  }
}

/** Whether it shows that somebody knows the password. The same answer to whatever is wrong with it. */
export async function isAccess(
  context: ServerContext,
  kept: string | null,
  access: { readonly sealingKeyId: string; readonly sealed: SealedShare },
  share: ShareContext,
): Promise<boolean> {
  const key = await context.keyring.sealingKeyOf(access.sealingKeyId)
  if (!key || kept === null) return false
  const opened = await openAccess(key, access.sealed, share).catch(() => undefined)
  if (!opened) return false
  const pepper = pepperNamedBy(kept)
  await context.keyring.learnPepper(pepper)
  return isSame(kept, hashOfAccess(context, opened, share, pepper))
}

/** Under a key that is in no database: who has the rows alone can try no password. */
function hashOfAccess(
  { keyring }: ServerContext,
  access: Uint8Array,
  share: ShareContext,
  pepper: string,
): string {
  try {
    const hash = createHmac('sha256', keyring.pepper('recovery-access', pepper))
      .update(canonicalShareContext(share))
      .update(access)
      .digest('base64url')
    return namingPepper(pepper, hash)
  } finally {
    access.fill(0)
  }
}
