/** Wallet tokens: each for one step of one vault's operation, one purpose and one wallet. */
import { findEmbeddedWallet, LatchkeyError, needsWallet, type UserRecord } from '@latchkey/protocol'
import { type VaultKey, type WalletPurpose, walletPurposes } from '@latchkey/protocol/wallet'
import type { App } from '../../identity/apps/apps.ts'
import { deviceNotBound, mintToken, type TokenSubject } from '../../identity/sessions/sessions.ts'
import type { DialogToken, ServerContext, WalletStep } from '../../kernel/context.ts'
import { matchesStep, type SignedStatement, statementRefused } from '../../kernel/http/proof/statement.ts'
import { isPointOfCurve } from '../../kernel/keys/keys.ts'
import type { Language } from '../../kernel/languages.ts'
import { nowSeconds } from '../../kernel/ports.ts'
import { confirmedRequest } from '../confirm/confirm.ts'
import { custodyAt, walletNotFound } from './custody.ts'

export type AskedStep = VaultKey & {
  purpose: WalletPurpose
  /** Null for the purposes that name none. */
  address: string | null
  /** The id of the confirmation that the user approved; null for the purposes that take none. */
  confirmation: string | null
}

type AskingCall = {
  caller: DialogToken
  language: Language
  statement: () => SignedStatement | undefined
}

export async function walletToken(
  context: ServerContext,
  { caller, language, statement }: AskingCall,
  { publicKey, operation, purpose, address, confirmation }: AskedStep,
): Promise<string> {
  const stated = statedBy(caller, statement())
  if (!isPointOfCurve(publicKey)) throw invalidStep('public_key', 'The public key is not a P-256 point')
  if ((address === null) !== (walletPurposes[purpose].wallet === 'none')) {
    throw invalidStep('address', `For '${purpose}' a wallet is ${walletPurposes[purpose].wallet}`)
  }
  const has = confirmation === null ? 'none' : 'one'
  if (!confirmationsOf[walletPurposes[purpose].confirmed].includes(has)) {
    throw invalidStep('confirmation', `For '${purpose}' this is ${has === 'none' ? 'needed' : 'null'}`)
  }
  const walletId = address === null ? null : await walletIdAt(context, caller, address)
  const confirmed =
    confirmation === null
      ? null
      : await confirmedRequest(context, caller, { purpose, walletId }, confirmation)
  const isStated =
    matchesStep(stated, { publicKey, operation }) &&
    stated.purpose === purpose &&
    stated.address === address &&
    stated.digest === (confirmed?.digest ?? null)
  if (!isStated) throw statementRefused('of_another_step')
  const step = { vaultKey: publicKey, operation, purpose, walletId, confirmed }
  return mintStep(context, { ...caller, device: stated.device }, step, language)
}

/** Nobody else may name a key for this session. */
function statedBy({ device }: DialogToken, stated: SignedStatement | undefined): SignedStatement {
  if (device === null || stated?.device !== device) throw deviceNotBound()
  return stated
}

/** A method is removed with one, and added without: whoever removes it asks for it. */
const confirmationsOf: Readonly<
  Record<(typeof walletPurposes)[WalletPurpose]['confirmed'], readonly ('none' | 'one')[]>
> = {
  signature: ['one'],
  action: ['one'],
  removal: ['none', 'one'],
  no: ['none'],
}

async function walletIdAt(context: ServerContext, caller: DialogToken, address: string): Promise<string> {
  const custody = await custodyAt(context.db, caller, address)
  if (custody === undefined) throw walletNotFound()
  return custody.wallet.id
}

/**
 * The token that comes with the answer of a login, for a vault that was named with it. Only for what the dialog
 * does next without asking anybody: for everything else it asks by itself, when that is due.
 */
export async function walletTokenOfLogin(
  context: ServerContext,
  { app, language }: { app: App; language: Language },
  sessionId: string,
  user: UserRecord,
  { publicKey, operation, device }: VaultKey & { device: string },
): Promise<{ token: string; purpose: 'create' | 'connect' } | undefined> {
  if (!isPointOfCurve(publicKey) || somethingElseIsDue(app, user)) return undefined
  const owner = { appId: app.id, userId: user.id, sessionId, device }
  const mint = (of: Pick<WalletStep, 'purpose' | 'walletId'>) =>
    mintStep(context, owner, { vaultKey: publicKey, operation, confirmed: null, ...of }, language)
  const wallet = findEmbeddedWallet(user)
  if (wallet) {
    const custody = await custodyAt(context.db, owner, wallet.address)
    if (custody === undefined) return undefined
    const purpose = 'connect'
    return { token: mint({ purpose, walletId: custody.wallet.id }), purpose }
  }
  if (recoveryIsChosen(app) || !needsWallet(app.config.embeddedWalletConfig.createOnLogin, user))
    return undefined
  const purpose = 'create'
  return { token: mint({ purpose, walletId: null }), purpose }
}

const somethingElseIsDue = ({ config }: App, user: UserRecord) =>
  (config.requireUsersAcceptTerms && !user.hasAcceptedTerms) || user.mfaMethods.length > 0

/** The user says first how the new wallet is kept. */
const recoveryIsChosen = ({ config: { embeddedWalletConfig: wallets } }: App) =>
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
