/** Login with a passkey: which one is for the authenticator to say, so a login names none. */
import { randomBytes } from 'node:crypto'
import { LatchkeyError, passkeyLimits } from '@latchkey/protocol'
import type { Assertion, AssertionOptions, Attestation, AttestationOptions } from '@latchkey/protocol/api'
import * as v from 'valibot'
import { type App, mayEmbed } from '../../apps/apps.ts'
import { bindingHash } from '../../codes/codes.ts'
import type { DialogToken, ServerContext } from '../../context.ts'
import { nowSeconds, type Trx } from '../../ports.ts'
import {
  type AccountRefusal,
  accountRefusal,
  findOwner,
  hasRoomFor,
  ownAccount,
  type ProvenAccount,
  requireUser,
} from '../../users/users.ts'
import { requireLoginMethod } from '../allowed.ts'
import { type LoggedIn, letIn, linkWith, type Refused, unlink } from '../proven.ts'
import {
  algorithms,
  type Expected,
  type NewPasskey,
  verifyAssertion,
  verifyAttestation,
  type Wrong,
} from './ceremony.ts'
import { deviceLabel } from './device.ts'
import { readClientData } from './place.ts'
import * as store from './store.ts'

const CHALLENGE_BYTES = 32

/** It is the only factor of such a login, so the device has to know who holds it. */
const userVerification = 'required'

export const requirePasskeyLogin = (app: App): void => requireLoginMethod(app, 'passkeyAuth', 'a passkey')

/** All apps of this server share it: their passkeys are told apart by the app of each row. */
export const relyingPartyOf = ({ config }: ServerContext): string => new URL(config.dialogOrigin).hostname

export function requireRelyingParty(context: ServerContext, named: string | undefined): void {
  if (named === undefined || named === relyingPartyOf(context)) return
  throw new LatchkeyError('invalid_data', 'This server is another relying party', {
    details: { path: 'relying_party' },
  })
}

/** Random to everybody else, as user ids are. */
const userHandleOf = (userId: string) => Buffer.from(userId).toString('base64url')

const expectedOf = (context: ServerContext, app: App, challenge: string): Expected => ({
  origin: context.config.dialogOrigin,
  mayEmbed: (topOrigin) => mayEmbed(app, topOrigin),
  rpId: relyingPartyOf(context),
  challenge,
  userVerification,
})

type ChallengeOf = {
  readonly app: App
  readonly binding: string | undefined
  /** Undefined for a login. */
  readonly caller: DialogToken | undefined
}

const challengeRow = ({ app, binding, caller }: ChallengeOf, challenge: string) => ({
  app_id: app.id,
  challenge,
  purpose: caller ? ('link' as const) : ('login' as const),
  user_id: caller?.userId ?? '',
  binding: bindingHash(binding),
})

export async function newChallenge(
  trx: Trx,
  { clock }: ServerContext,
  of: ChallengeOf,
): Promise<{ readonly challenge: string }> {
  const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url')
  const expiresAt = nowSeconds(clock) + passkeyLimits.challengeSeconds
  await store.putChallenge(trx, { ...challengeRow(of, challenge), expires_at: expiresAt })
  return { challenge }
}

/** It is used up by this, whatever the answer is worth. */
async function takeChallenge(
  trx: Trx,
  { clock }: ServerContext,
  of: ChallengeOf,
  challenge: string,
): Promise<void> {
  if (await store.useUpChallenge(trx, challengeRow(of, challenge), nowSeconds(clock))) return
  throw passkeyRefusal('challenge')
}

const timeout = passkeyLimits.challengeSeconds * 1_000

export const loginOptions = (context: ServerContext, challenge: string): AssertionOptions => ({
  challenge,
  timeout,
  rpId: relyingPartyOf(context),
  allowCredentials: [],
  userVerification,
})

const transportsSchema = v.array(v.string())

export async function linkOptions(
  context: ServerContext,
  app: App,
  { userId }: DialogToken,
  challenge: string,
): Promise<AttestationOptions> {
  const [user, own] = await Promise.all([
    requireUser(context.db, app.id, userId),
    store.passkeysOf(context.db, app.id, userId),
  ])
  const named = user.linkedAccounts.map(nameOf).find((name) => name !== undefined)
  // Devices list the passkeys of all apps that this server has under one name.
  const name = named === undefined ? app.name : `${named} (${app.name})`
  return {
    rp: { name: app.name, id: relyingPartyOf(context) },
    user: { id: userHandleOf(userId), name, displayName: named ?? app.name },
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ alg, type: 'public-key' as const })),
    timeout,
    excludeCredentials: own.map(({ credential_id: id, transports }) => ({
      id,
      type: 'public-key',
      transports: v.parse(transportsSchema, JSON.parse(transports)),
    })),
    authenticatorSelection: { requireResidentKey: true, residentKey: 'required', userVerification },
    attestation: 'none',
    extensions: { credProps: { rk: true } },
  }
}

function nameOf(account: Awaited<ReturnType<typeof requireUser>>['linkedAccounts'][number]) {
  switch (account.type) {
    case 'email':
      return account.address
    case 'phone':
      return account.phoneNumber
    default:
      return undefined
  }
}

export async function requireRoom(trx: Trx, app: App, { userId }: DialogToken): Promise<void> {
  if (!(await hasRoomFor(trx, userId, 'passkey'))) throw linkRefusal(app, 'cannot_link_more_of_type')
}

export const linkRefusal = (app: App, code: AccountRefusal): LatchkeyError =>
  accountRefusal(app, code, 'passkey')

export type LinkAttempt = { readonly challenge: string }

/** The answer itself says which challenge it is to. */
export async function reserveLink(
  trx: Trx,
  context: ServerContext,
  of: ChallengeOf,
  { response }: Attestation,
): Promise<LinkAttempt> {
  const challenge = readClientData(response.clientDataJson)?.challenge
  if (challenge === undefined) throw passkeyRefusal('client_data')
  await takeChallenge(trx, context, of, challenge)
  return { challenge }
}

export const checkAttestation = (
  context: ServerContext,
  app: App,
  { challenge }: LinkAttempt,
  attestation: Attestation,
): Promise<NewPasskey | Wrong> => verifyAttestation(expectedOf(context, app, challenge), attestation)

export async function link(
  trx: Trx,
  context: ServerContext,
  caller: DialogToken,
  { credentialId, publicKey, counter, aaguid }: NewPasskey,
  {
    transports,
    userAgent,
  }: { readonly transports: readonly string[]; readonly userAgent: string | undefined },
) {
  const account: ProvenAccount = {
    type: 'passkey',
    identifier: credentialId,
    profile: { credentialId, ...deviceLabel(aaguid, userAgent), enrolledInMfa: false },
  }
  const linked = await linkWith(trx, context, caller, { method: 'passkey', account })
  if (linked.type === 'refused') return linked
  await store.putPasskey(trx, {
    app_id: caller.appId,
    credential_id: credentialId,
    user_id: caller.userId,
    public_key: publicKey,
    counter,
    transports: JSON.stringify(transports),
    created_at: nowSeconds(context.clock),
  })
  return linked
}

/** No passkey: nobody has one of this id, and whoever answered learns it as they would of a wrong signature. */
export type LoginAttempt = { readonly challenge: string; readonly passkey: store.Passkey | null }

export async function reserveLogin(
  trx: Trx,
  context: ServerContext,
  of: ChallengeOf,
  { challenge, assertion }: { readonly challenge: string; readonly assertion: Assertion },
): Promise<LoginAttempt> {
  await takeChallenge(trx, context, of, challenge)
  return { challenge, passkey: (await store.findPasskey(trx, of.app.id, assertion.id)) ?? null }
}

export async function checkAssertion(
  context: ServerContext,
  app: App,
  { challenge, passkey }: LoginAttempt,
  assertion: Assertion,
): Promise<{ readonly type: 'right'; readonly counter: number } | Wrong> {
  if (passkey === null) return { type: 'wrong', reason: 'credential' }
  return verifyAssertion(
    expectedOf(context, app, challenge),
    {
      credentialId: passkey.credential_id,
      publicKey: passkey.public_key,
      counter: passkey.counter,
      userHandle: userHandleOf(passkey.user_id),
    },
    assertion,
  )
}

export async function login(
  trx: Trx,
  context: ServerContext,
  app: App,
  { passkey }: LoginAttempt,
  { counter, provenKey }: { readonly counter: number; readonly provenKey: string },
): Promise<LoggedIn | Refused | Wrong> {
  if (passkey === null || !(await store.countOn(trx, passkey, counter))) {
    return { type: 'wrong', reason: 'credential' }
  }
  const owner = await findOwner(trx, context, app, passkey.user_id, {
    type: 'passkey',
    identifier: passkey.credential_id,
  })
  if (owner.type === 'refused') return owner
  return letIn(trx, context, { appId: app.id, ...owner, method: 'passkey' }, provenKey)
}

const profileSchema = v.object({ enrolledInMfa: v.boolean() })

export async function unlinkPasskey(
  trx: Trx,
  context: ServerContext,
  caller: DialogToken,
  credentialId: string,
) {
  const account = { type: 'passkey', identifier: credentialId } as const
  const own = await ownAccount(trx, caller, account)
  if (own !== undefined && v.parse(profileSchema, own).enrolledInMfa) return { type: 'enrolled' } as const
  const outcome = await unlink(trx, context, caller, account)
  if (outcome.type === 'unlinked') await store.removePasskey(trx, caller.appId, credentialId)
  return outcome
}

export const enrolledInMfa = () =>
  new LatchkeyError('missing_or_invalid_mfa', 'Cannot unlink a passkey enrolled in MFA')

export const passkeyRefusal = (reason: Wrong['reason'] | 'challenge') =>
  new LatchkeyError('invalid_credentials', 'This passkey was not accepted', { details: { reason } })
