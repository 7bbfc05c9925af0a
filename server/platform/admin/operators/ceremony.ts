/** Passkey ceremonies of operators: registering, signing in, and confirming one call. Each challenge is used once. */
import { hash, randomBytes } from 'node:crypto'
import { passkeyLimits, product } from '@latchkey/protocol'
import type { Assertion, AssertionOptions, Attestation, AttestationOptions } from '@latchkey/protocol/api'
import { type ChallengeKey, consumeChallenge, putChallenge } from '../../../kernel/challenges/challenges.ts'
import type { ServerContext } from '../../../kernel/context.ts'
import { AdminError } from '../../../kernel/http/admin-endpoint.ts'
import { nowSeconds } from '../../../kernel/ports.ts'
import {
  createAssertionOptions,
  type Expected,
  type NewPasskey,
  newPasskeyOptions,
  readClientData,
  verifyAssertion,
  verifyAttestation,
  type Wrong,
} from '../../../login/passkey/passkey.ts'
import { countPasskey, findPasskey, listPasskeys, type Operator } from './operators.ts'
import type { OperatorPasskeyRow } from './tables.ts'

/** The only use of a challenge: an invitation, a further passkey of a session, any sign-in, or one call of a session. */
type Occasion =
  | { purpose: 'join'; invitation: string }
  | { purpose: 'add-passkey'; session: string }
  | { purpose: 'sign-in' }
  | { purpose: 'confirm'; session: string; call: string }

const toKey = (occasion: Occasion, challenge: string): ChallengeKey => ({
  appId: '',
  purpose: `operator/${occasion.purpose}`,
  id: challenge,
  userId: '',
  binding: toBinding(occasion),
})

function toBinding(occasion: Occasion): string {
  switch (occasion.purpose) {
    case 'join':
      return occasion.invitation
    case 'add-passkey':
      return occasion.session
    case 'sign-in':
      return ''
    case 'confirm':
      return `${occasion.session} ${occasion.call}`
    default:
      return occasion satisfies never
  }
}

/** The challenge of a confirmation contains the digest of the call, so that the passkey signs that call. */
const createChallenge = (occasion: Occasion) =>
  hash('sha256', Buffer.concat([randomBytes(32), Buffer.from(toBinding(occasion))]), 'base64url')

async function storeChallenge(context: ServerContext, occasion: Occasion): Promise<string> {
  const challenge = createChallenge(occasion)
  const life = { nowSeconds: nowSeconds(context.clock), seconds: passkeyLimits.challengeSeconds }
  await context.transaction((trx) => putChallenge(trx, toKey(occasion, challenge), life))
  return challenge
}

/** Consumes the challenge that the response names, whether or not the response is valid. */
async function takeChallenge(
  context: ServerContext,
  occasion: Occasion,
  { response }: Pick<Assertion | Attestation, 'response'>,
): Promise<string> {
  const challenge = readClientData(response.clientDataJson)?.challenge
  const livingAt = nowSeconds(context.clock)
  const isIssued =
    challenge !== undefined &&
    (await context.transaction((trx) => consumeChallenge(trx, toKey(occasion, challenge), { livingAt })))
  if (challenge === undefined || !isIssued) throw signInFailed()
  return challenge
}

export const signInFailed = () =>
  new AdminError('sign_in_failed', 'The passkey is unknown, or the request has expired. Try again')

const getRelyingParty = ({ config: { adminOrigin = '' } }: ServerContext) => new URL(adminOrigin).hostname

/** The page of the dashboard, which no other page may embed. */
const toExpected = (context: ServerContext, challenge: string): Expected => ({
  origin: context.config.adminOrigin ?? '',
  rpId: getRelyingParty(context),
  mayEmbed: () => false,
  challenge,
  userVerification: 'required',
})

type Registration = Extract<Occasion, { purpose: 'join' | 'add-passkey' }>

/** Authenticators with one of the operator's passkeys create no second one. */
export async function beginRegistration(
  context: ServerContext,
  occasion: Registration,
  operator: Operator,
): Promise<AttestationOptions> {
  const challenge = await storeChallenge(context, occasion)
  const registered = await listPasskeys(context.db, operator.id)
  const user = {
    id: Buffer.from(operator.id).toString('base64url'),
    name: operator.email,
    displayName: operator.email,
  }
  const rp = { name: `${product.name} dashboard`, id: getRelyingParty(context) }
  return {
    ...newPasskeyOptions(rp, challenge, user),
    excludeCredentials: registered.map(({ credential_id: id }) => ({ id, type: 'public-key' as const })),
  }
}

export async function acceptRegistration(
  context: ServerContext,
  occasion: Registration,
  credential: Attestation,
): Promise<NewPasskey> {
  const challenge = await takeChallenge(context, occasion, credential)
  const passkey = await verifyAttestation(toExpected(context, challenge), credential)
  if (passkey.type === 'wrong') throw refuse(context, passkey)
  return passkey
}

export async function beginAssertion(context: ServerContext, occasion: Occasion): Promise<AssertionOptions> {
  return createAssertionOptions(getRelyingParty(context), await storeChallenge(context, occasion))
}

/** Returns the passkey. Consumes the challenge, and counts the passkey on. */
export async function acceptAssertion(
  context: ServerContext,
  occasion: Occasion,
  credential: Assertion,
): Promise<OperatorPasskeyRow> {
  const challenge = await takeChallenge(context, occasion, credential)
  const passkey = await findPasskey(context.db, credential.id)
  if (passkey === undefined) throw signInFailed()
  const registered = {
    credentialId: passkey.credential_id,
    publicKey: passkey.public_key,
    counter: passkey.counter,
    userHandle: Buffer.from(passkey.operator_id).toString('base64url'),
  }
  const result = await verifyAssertion(toExpected(context, challenge), registered, credential)
  if (result.type === 'wrong') throw refuse(context, result)
  const isCounted = await context.transaction((trx) => countPasskey(trx, credential.id, result.counter))
  if (!isCounted) throw signInFailed()
  return passkey
}

function refuse({ log }: ServerContext, { reason, why }: Wrong): AdminError {
  log.info({ reason, why }, 'A passkey of an operator was not accepted')
  return signInFailed()
}
