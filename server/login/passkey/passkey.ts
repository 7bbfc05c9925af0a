/** Login with a passkey. Logins use discoverable credentials, so no passkey is named. */
import { randomBytes } from 'node:crypto'
import { LatchkeyError, passkeyLimits } from '@latchkey/protocol'
import type { Assertion, AssertionOptions, Attestation, AttestationOptions } from '@latchkey/protocol/api'
import * as v from 'valibot'
import { type App, mayEmbed } from '../../identity/apps/apps.ts'
import { hashBinding } from '../../identity/codes/codes.ts'
import {
  type AccountRefusal,
  accountRefusal,
  canLinkType,
  findOwner,
  findOwnProfile,
  getDisplayName,
  lockAccount,
  lockUser,
  type ProvenAccount,
  setAccountProfile,
} from '../../identity/users/users.ts'
import { type ChallengeKey, consumeChallenge, putChallenge } from '../../kernel/challenges/challenges.ts'
import type { DialogToken, ServerContext } from '../../kernel/context.ts'
import type { ProvenBrowser } from '../../kernel/http/endpoint.ts'
import { nowSeconds, type Trx } from '../../kernel/ports.ts'
import { requireLoginMethod } from '../allowed.ts'
import { loginHook } from '../hook/hook.ts'
import { type Denied, type LoggedIn, letIn, linkWith, type Refused, unlink } from '../proven.ts'
import {
  algorithms,
  type Expected,
  type KnownPasskey,
  type NewPasskey,
  verifyAssertion,
  verifyAttestation,
  type Wrong,
} from './ceremony.ts'
import { deviceLabel } from './device.ts'
import { readClientData } from './place.ts'
import * as store from './store.ts'

export { type Expected, type NewPasskey, verifyAssertion, verifyAttestation, type Wrong } from './ceremony.ts'
export { readClientData } from './place.ts'

const CHALLENGE_BYTES = 32

/** The passkey is the only factor of the login, so the device must verify the user. */
const userVerification = 'required'

export const requirePasskeyLogin = (app: App): void => requireLoginMethod(app, 'passkeyAuth', 'a passkey')

/** Returns the relying party id, which all apps of this server share. Each row names its app. */
export const getRelyingParty = ({ config }: ServerContext): string => new URL(config.dialogOrigin).hostname

export function requireRelyingParty(context: ServerContext, named: string | undefined): void {
  if (named === undefined || named === getRelyingParty(context)) return
  throw new LatchkeyError('invalid_data', 'This server is another relying party', {
    details: { path: 'relying_party' },
  })
}

/** The user handle, derived from the random user id. */
const toUserHandle = (userId: string) => Buffer.from(userId).toString('base64url')

/** The page that performs the ceremony, and its relying party. */
export type Asking = Pick<Expected, 'origin' | 'mayEmbed' | 'rpId'>

const askedByDialog = (context: ServerContext, app: App): Asking => ({
  origin: context.config.dialogOrigin,
  mayEmbed: (topOrigin) => mayEmbed(app, topOrigin),
  rpId: getRelyingParty(context),
})
/** A ceremony on the wallet origin, which pages of the dialog must not perform. */
export const askedByWallet = ({ config: { walletOrigin } }: ServerContext): Asking => ({
  origin: walletOrigin,
  mayEmbed: () => false,
  rpId: new URL(walletOrigin).hostname,
})
const toExpected = (asking: Asking, challenge: string): Expected => ({
  ...asking,
  challenge,
  userVerification,
})

/** The purpose of a challenge. Its response is valid for this purpose only. */
type ChallengeOf = {
  app: App
  purpose: 'login' | 'link' | 'verify' | 'keep' | 'recover' | 'approve'
  userId: string
  binding: string
}
type Ceremony = { app: App; binding: string | undefined }

export const challengeOfLogin = ({ app, binding }: Ceremony): ChallengeOf => ({
  app,
  purpose: 'login',
  userId: '',
  binding: hashBinding(binding),
})
export const challengeOfLink = ({ app, binding, caller }: Ceremony & Calling): ChallengeOf => ({
  app,
  purpose: 'link',
  userId: caller.userId,
  binding: hashBinding(binding),
})
/** Bound to the session, because the page starts the ceremony and the wallet frame submits the response. */
export const challengeOfVerification = ({ app, caller }: { app: App } & Calling): ChallengeOf => ({
  app,
  purpose: 'verify',
  userId: caller.userId,
  binding: caller.sessionId,
})
/** The challenge of a recovery passkey. The dialog requests it, and the wallet frame may answer. */
export const challengeOfRecovery = (
  purpose: 'keep' | 'recover',
  { app, caller }: { app: App } & Calling,
): ChallengeOf => ({ app, purpose, userId: caller.userId, binding: caller.sessionId })
/** The challenge of one request that the user approves with the recovery passkey. */
export const challengeOfApproval = ({
  app,
  userId,
  request,
}: Pick<ChallengeOf, 'app' | 'userId'> & { request: string }): ChallengeOf => ({
  app,
  purpose: 'approve',
  userId,
  binding: request,
})
type Calling = { caller: { userId: string; sessionId: string } }

const toKey = ({ app, purpose, userId, binding }: ChallengeOf, challenge: string): ChallengeKey => ({
  appId: app.id,
  purpose: `passkey/${purpose}`,
  id: challenge,
  userId,
  binding,
})

export async function newChallenge(
  trx: Trx,
  { clock }: ServerContext,
  of: ChallengeOf,
): Promise<{ challenge: string }> {
  const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url')
  const life = { nowSeconds: nowSeconds(clock), seconds: passkeyLimits.challengeSeconds }
  await putChallenge(trx, toKey(of, challenge), life)
  return { challenge }
}

/** Consumes the challenge, whether or not the response is valid. */
const useUp = (trx: Trx, { clock }: ServerContext, of: ChallengeOf, challenge: string): Promise<boolean> =>
  consumeChallenge(trx, toKey(of, challenge), { livingAt: nowSeconds(clock) })

async function takeChallenge(
  trx: Trx,
  context: ServerContext,
  of: ChallengeOf,
  challenge: string,
): Promise<void> {
  if (await useUp(trx, context, of, challenge)) return
  throw passkeyRefusal('challenge')
}

const timeout = passkeyLimits.challengeSeconds * 1_000

export const loginOptions = (context: ServerContext, challenge: string): AssertionOptions =>
  createAssertionOptions(getRelyingParty(context), challenge)

export const createAssertionOptions = (rpId: string, challenge: string): AssertionOptions => ({
  challenge,
  timeout,
  rpId,
  allowCredentials: [],
  userVerification,
})

const transportsSchema = v.array(v.string())

const toCredential = ({ credential_id: id, transports }: store.Passkey) => ({
  id,
  type: 'public-key' as const,
  transports: v.parse(transportsSchema, JSON.parse(transports)),
})

export async function linkOptions(
  context: ServerContext,
  app: App,
  { userId }: DialogToken,
  challenge: string,
): Promise<AttestationOptions> {
  const [named, own] = await Promise.all([
    getDisplayName(context.db, { appId: app.id, userId }),
    store.findPasskeys(context.db, app.id, userId),
  ])
  // Devices list the passkeys of all apps of this server under one relying party.
  const name = named === undefined ? app.name : `${named} (${app.name})`
  return {
    ...newPasskeyOptions({ name: app.name, id: getRelyingParty(context) }, challenge, {
      id: toUserHandle(userId),
      name,
      displayName: named ?? app.name,
    }),
    excludeCredentials: own.map(toCredential),
  }
}

/** Options for a discoverable passkey with user verification. */
export const newPasskeyOptions = (
  rp: AttestationOptions['rp'],
  challenge: string,
  user: AttestationOptions['user'],
): AttestationOptions => ({
  rp,
  user,
  challenge,
  pubKeyCredParams: algorithms.map((alg) => ({ alg, type: 'public-key' as const })),
  timeout,
  authenticatorSelection: { requireResidentKey: true, residentKey: 'required', userVerification },
  attestation: 'none',
  extensions: { credProps: { rk: true } },
})

export async function requireRoom(trx: Trx, app: App, { userId }: DialogToken): Promise<void> {
  if (!(await canLinkType(trx, userId, 'passkey'))) throw linkRefusal(app, 'cannot_link_more_of_type')
}

export const linkRefusal = (app: App, code: AccountRefusal): LatchkeyError =>
  accountRefusal(app, code, 'passkey')

export type LinkAttempt = { challenge: string }

/** Consumes the challenge that the response names. */
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
  asking: Asking = askedByDialog(context, app),
): Promise<NewPasskey | Wrong> => verifyAttestation(toExpected(asking, challenge), attestation)

export async function link(
  trx: Trx,
  context: ServerContext,
  caller: DialogToken,
  { credentialId, publicKey, counter, aaguid }: NewPasskey,
  { transports, userAgent }: { transports: readonly string[]; userAgent: string | undefined },
) {
  // A response with the id of an existing passkey proves nothing about it, so that passkey stays unchanged.
  const present = await store.findPasskey(trx, caller.appId, credentialId)
  if (present?.user_id === caller.userId) return { type: 'linked' } as const
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

/** Null if no passkey of the app has this id. `isUnknown`: neither has another app. */
export type LoginAttempt = { challenge: string; passkey: store.Passkey | null; isUnknown?: boolean }

export async function reserveLogin(
  trx: Trx,
  context: ServerContext,
  of: ChallengeOf,
  { challenge, assertion }: { challenge: string; assertion: Assertion },
): Promise<LoginAttempt> {
  await takeChallenge(trx, context, of, challenge)
  const passkey = await store.findPasskey(trx, of.app.id, assertion.id)
  if (passkey) return { challenge, passkey }
  return { challenge, passkey: null, isUnknown: !(await store.isKnown(trx, assertion.id)) }
}

/** Verifies the session's challenge and that the passkey may verify the user. `passkey` is null otherwise. */
export async function reserveVerification(
  trx: Trx,
  context: ServerContext,
  of: ChallengeOf,
  assertion: Assertion,
  mayVerify: (credentialId: string) => Promise<boolean>,
): Promise<LoginAttempt> {
  const challenge = await useUpAnswered(trx, context, of, assertion)
  if (challenge === undefined) return { challenge: '', passkey: null }
  const passkey = await store.findPasskey(trx, of.app.id, assertion.id)
  const isRight = passkey?.user_id === of.userId && (await mayVerify(assertion.id))
  return { challenge, passkey: isRight ? passkey : null }
}

/** Consumes the challenge that the response names. Returns undefined if it is not a valid one. */
export async function useUpAnswered(
  trx: Trx,
  context: ServerContext,
  of: ChallengeOf,
  { response }: Pick<Assertion, 'response'>,
): Promise<string | undefined> {
  const challenge = readClientData(response.clientDataJson)?.challenge
  const isIssued = challenge !== undefined && (await useUp(trx, context, of, challenge))
  return isIssued ? challenge : undefined
}

/** Updates the signature counter. Returns false if the passkey was removed or its counter increased meanwhile. */
export const countPasskeyOn = (trx: Trx, passkey: store.Passkey, counter: number): Promise<boolean> =>
  store.countOn(trx, passkey, counter)

/** Returns the options of a verification with one of the enrolled passkeys. */
export async function verificationOptions(
  context: ServerContext,
  { appId, userId }: { appId: string; userId: string },
  challenge: string,
  enrolled: readonly string[],
): Promise<AssertionOptions> {
  const own = await store.findPasskeys(context.db, appId, userId)
  const usable = own.filter(({ credential_id: id }) => enrolled.includes(id))
  return { ...loginOptions(context, challenge), allowCredentials: usable.map(toCredential) }
}

export async function checkAssertion(
  context: ServerContext,
  app: App,
  { challenge, passkey, isUnknown }: LoginAttempt,
  assertion: Assertion,
  { isNamed = false }: Pick<KnownPasskey, 'isNamed'> = {},
): Promise<{ type: 'right'; counter: number } | Wrong> {
  if (passkey === null) return { type: 'wrong', reason: isUnknown ? 'unknown' : 'credential' }
  const knownPasskey = {
    credentialId: passkey.credential_id,
    publicKey: passkey.public_key,
    counter: passkey.counter,
    userHandle: toUserHandle(passkey.user_id),
    isNamed,
  }
  return checkAnswer(askedByDialog(context, app), challenge, knownPasskey, assertion)
}

export const checkAnswer = (
  asking: Asking,
  challenge: string,
  known: KnownPasskey,
  assertion: Assertion,
): Promise<{ type: 'right'; counter: number } | Wrong> =>
  verifyAssertion(toExpected(asking, challenge), known, assertion)

export async function login(
  trx: Trx,
  context: ServerContext,
  app: App,
  { passkey }: LoginAttempt,
  { counter, browser }: { counter: number; browser: ProvenBrowser },
): Promise<LoggedIn | Refused | Denied | Wrong> {
  if (passkey === null) return { type: 'wrong', reason: 'credential' }
  const account = { type: 'passkey', identifier: passkey.credential_id } as const
  // Locks the account before the passkey, in the same order as unlinking and user deletion.
  await lockAccount(trx, app.id, account)
  if (!(await store.countOn(trx, passkey, counter))) return { type: 'wrong', reason: 'credential' }
  const owner = await findOwner(trx, context, app, passkey.user_id, account)
  if (owner.type === 'refused') return owner
  const findUser = async () => passkey.user_id
  const question = { appId: app.id, method: 'passkey', account, findUser } as const
  const denial = await loginHook.get(context.ports)(trx, context, question)
  if (denial) return { type: 'denied', ...denial }
  return letIn(trx, context, { appId: app.id, ...owner, method: 'passkey' }, browser)
}

const profileSchema = v.looseObject({ enrolledInMfa: v.boolean() })

/** Returns whether the user's passkey is enrolled as a second factor. */
export async function isEnrolled(
  trx: Trx,
  owner: { appId: string; userId: string },
  credentialId: string,
): Promise<boolean | 'no passkey of theirs'> {
  const own = await findOwnProfile(trx, owner, { type: 'passkey', identifier: credentialId })
  return own === undefined ? 'no passkey of theirs' : v.parse(profileSchema, own).enrolledInMfa
}

/** Enrols or removes the passkey as a second factor. The caller holds the user's lock. */
export async function setEnrolled(
  trx: Trx,
  owner: { appId: string; userId: string },
  credentialId: string,
  enrolledInMfa: boolean,
): Promise<void> {
  const account = { type: 'passkey', identifier: credentialId } as const
  const profile = v.parse(profileSchema, await findOwnProfile(trx, owner, account))
  await setAccountProfile(trx, owner, { ...account, profile: { ...profile, enrolledInMfa } })
}

export async function unlinkPasskey(
  trx: Trx,
  context: ServerContext,
  caller: DialogToken,
  credentialId: string,
) {
  const account = { type: 'passkey', identifier: credentialId } as const
  // Otherwise the passkey could be enrolled between check and removal.
  await lockUser(trx, caller)
  if ((await isEnrolled(trx, caller, credentialId)) === true) return { type: 'enrolled' } as const
  const outcome = await unlink(trx, context, caller, account)
  if (outcome.type === 'unlinked') await store.removePasskey(trx, caller.appId, credentialId)
  return outcome
}

/** Removes the passkey of an unlinked account. */
export const forgetPasskey = (trx: Trx, appId: string, credentialId: string): Promise<void> =>
  store.removePasskey(trx, appId, credentialId)

export const enrolledInMfa = () =>
  new LatchkeyError('missing_or_invalid_mfa', 'Cannot unlink a passkey enrolled in MFA')

export const passkeyRefusal = (reason: Wrong['reason'] | 'challenge') =>
  new LatchkeyError('invalid_credentials', 'This passkey was not accepted', { details: { reason } })
