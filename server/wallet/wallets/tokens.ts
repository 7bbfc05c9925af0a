/** Issues wallet tokens. Each token is valid for one step of a vault operation, one purpose and one wallet. */
import { findEmbeddedWallet, LatchkeyError, needsWallet, type UserRecord } from '@latchkey/protocol'
import type { AuthAnswer } from '@latchkey/protocol/api'
import { type VaultKey, type WalletPurpose, walletPurposes } from '@latchkey/protocol/wallet'
import type { App } from '../../identity/apps/apps.ts'
import { deviceNotBound, mintToken, type TokenSubject } from '../../identity/sessions/sessions.ts'
import type { DialogToken, ServerContext, WalletStep } from '../../kernel/context.ts'
import { matchesStep, type SignedStatement, statementRefused } from '../../kernel/http/proof/statement.ts'
import { isCurvePoint } from '../../kernel/keys/keys.ts'
import type { Language } from '../../kernel/languages.ts'
import { nowSeconds } from '../../kernel/ports.ts'
import { getConfirmedRequest } from '../confirm/confirm.ts'
import { beginWallet } from './begin.ts'
import { findCustodyByAddress, walletNotFound } from './custody.ts'

export type RequestedStep = VaultKey & {
  purpose: WalletPurpose
  /** Null if the purpose names no wallet. */
  address: string | null
  /** The handle of the confirmation that the user approved, or null if the purpose takes none. */
  confirmation: string | null
}

type TokenCall = {
  caller: DialogToken
  language: Language
  statement: () => SignedStatement | undefined
}

export async function createWalletToken(
  context: ServerContext,
  { caller, language, statement }: TokenCall,
  { publicKey, operation, purpose, address, confirmation }: RequestedStep,
): Promise<string> {
  const signedStatement = requireDeviceStatement(caller, statement())
  if (!isCurvePoint(publicKey)) throw invalidStep('public_key', 'The public key is not a P-256 point')
  if ((address === null) !== (walletPurposes[purpose].wallet === 'none')) {
    throw invalidStep('address', `A wallet for '${purpose}' is ${walletPurposes[purpose].wallet}`)
  }
  const presence = confirmation === null ? 'none' : 'one'
  if (!allowedConfirmations[walletPurposes[purpose].confirmed].includes(presence)) {
    throw invalidStep(
      'confirmation',
      `The purpose '${purpose}' ${presence === 'none' ? 'requires' : 'takes no'} confirmation`,
    )
  }
  const walletId = address === null ? null : await getWalletId(context, caller, address)
  const confirmed =
    confirmation === null
      ? null
      : await getConfirmedRequest(context, caller, { purpose, walletId }, confirmation)
  const isStatementForStep =
    matchesStep(signedStatement, { publicKey, operation }) &&
    signedStatement.purpose === purpose &&
    signedStatement.address === address &&
    signedStatement.digest === (confirmed?.digest ?? null)
  if (!isStatementForStep) throw statementRefused('of_another_step')
  const step = { vaultKey: publicKey, operation, purpose, walletId, confirmed }
  return mintStep(context, { ...caller, device: signedStatement.device }, step, language)
}

/** Returns the statement if the session's device key signed it. Only that key may name a vault key. */
function requireDeviceStatement(
  { device }: DialogToken,
  stated: SignedStatement | undefined,
): SignedStatement {
  if (device === null || stated?.device !== device) throw deviceNotBound()
  return stated
}

/** Whether a token request names a confirmation. Removing a method needs one, adding a method does not. */
const allowedConfirmations: Readonly<
  Record<(typeof walletPurposes)[WalletPurpose]['confirmed'], readonly ('none' | 'one')[]>
> = {
  signature: ['one'],
  action: ['one'],
  removal: ['none', 'one'],
  no: ['none'],
}

async function getWalletId(context: ServerContext, caller: DialogToken, address: string): Promise<string> {
  const custody = await findCustodyByAddress(context.db, caller, address)
  if (custody === undefined) throw walletNotFound()
  return custody.wallet.id
}

/**
 * Issues the wallet token that a login response contains if the login named a vault. It covers only the next step
 * that needs no user interaction. For a creation, it also reserves the slot. The dialog requests every other token when
 * it needs it.
 */
export async function createLoginWalletToken(
  context: ServerContext,
  { app, language }: { app: App; language: Language },
  sessionId: string,
  user: UserRecord,
  { publicKey, operation, device }: VaultKey & { device: string },
): Promise<AuthAnswer['walletToken']> {
  if (!isCurvePoint(publicKey) || hasOtherPostLoginStep(app, user)) return undefined
  const owner = { appId: app.id, userId: user.id, sessionId, device }
  const mint = (target: Pick<WalletStep, 'purpose' | 'walletId'>) =>
    mintStep(context, owner, { vaultKey: publicKey, operation, confirmed: null, ...target }, language)
  const wallet = findEmbeddedWallet(user)
  if (wallet) {
    const custody = await findCustodyByAddress(context.db, owner, wallet.address)
    if (custody === undefined) return undefined
    const purpose = 'connect'
    return { token: mint({ purpose, walletId: custody.wallet.id }), purpose }
  }
  if (requiresRecoveryChoice(app) || !needsWallet(app.config.embeddedWalletConfig.createOnLogin, user))
    return undefined
  const purpose = 'create'
  const place = await beginWallet(context, { ...owner, step: { purpose } }, 'ethereum')
  return { token: mint({ purpose, walletId: null }), purpose, ...(place.status === 'pending' && { place }) }
}

const hasOtherPostLoginStep = ({ config }: App, user: UserRecord) =>
  (config.requireUsersAcceptTerms && !user.hasAcceptedTerms) || user.mfaMethods.length > 0

/** Whether the user must choose a recovery method before the wallet is created. */
const requiresRecoveryChoice = ({ config: { embeddedWalletConfig: wallets } }: App) =>
  wallets.requireUserOwnedRecoveryOnCreate === true || wallets.requireUserPasswordOnCreate === true

function mintStep(
  { keyring, config, clock }: ServerContext,
  { device, ...owner }: TokenSubject & { device: string },
  step: WalletStep,
  language: Language,
): string {
  const kind = { scope: 'wallet', step, keyThumbprint: device, language } as const
  return mintToken(keyring.signingKey(), config.issuer, owner, kind, nowSeconds(clock))
}

const invalidStep = (path: string, message: string) =>
  new LatchkeyError('invalid_data', message, { details: { path } })
