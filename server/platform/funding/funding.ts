/** Begins card payments for a user's wallet and returns their status. */
import { isSameAddress, LatchkeyError } from '@latchkey/protocol'
import {
  fundingDisabledMessage,
  type OnRampTransaction,
  type SignedFundingConfig,
} from '@latchkey/protocol/api'
import { recordAudit } from '../../identity/audit/audit.ts'
import { requireUser } from '../../identity/users/users.ts'
import { consume, tooManyRequests } from '../../kernel/attempts/attempts.ts'
import type { DialogToken, ServerContext } from '../../kernel/context.ts'
import { randomId } from '../../kernel/ids.ts'
import { type App, nowSeconds, type Trx } from '../../kernel/ports.ts'
import { fundingServerLimits } from './limits.ts'
import { onRampProvider } from './provider.ts'
import * as store from './store.ts'

type FundingRequest = {
  address: string
  useSandbox: boolean
  config: SignedFundingConfig
}
export type FundingSession = { reference: string; address: string; isTest: boolean }

/** Returns the provider. Throws if the app disabled it or the operator has no keys. */
function requireOn(context: ServerContext, app: App, isTest: boolean) {
  const provider = onRampProvider.get(context.ports)
  if (app.config.fiatOnRampEnabled && provider.pageAt(isTest) !== undefined) return provider
  throw new LatchkeyError('not_supported', fundingDisabledMessage)
}

export async function begin(
  trx: Trx,
  context: ServerContext,
  app: App,
  caller: DialogToken,
  { address: requestedAddress, useSandbox: isTest }: FundingRequest,
): Promise<FundingSession> {
  const { appId, userId, sessionId } = caller
  const provider = requireOn(context, app, isTest)
  const { linkedAccounts } = await requireUser(trx, appId, userId)
  const account = linkedAccounts.find(
    (each) => each.type === 'wallet' && isSameAddress(each.address, requestedAddress),
  )
  // Only the user's own wallets, because coins sent to a wrong address are lost.
  if (account?.type !== 'wallet') {
    throw new LatchkeyError('linked_account_not_found', 'The user has no wallet of this address')
  }
  const now = nowSeconds(context.clock)
  const { perDay: limit, daySeconds: windowSeconds } = fundingServerLimits
  const quotas = [{ limit, windowSeconds }]
  const allowance = await consume(trx, { key: `funding|${appId}|${userId}`, quotas, nowSeconds: now })
  if (!allowance.allowed) throw tooManyRequests(allowance.retryAfterSeconds)
  const reference = randomId()
  const { address } = account
  await store.addSession(trx, {
    id: reference,
    app_id: appId,
    user_id: userId,
    provider: provider.id,
    address,
    is_test: isTest ? 1 : 0,
    created_at: now,
  })
  const details = { provider: provider.id, is_test: isTest }
  await recordAudit(trx, context.clock, { event: 'funding.begun', appId, userId, sessionId, details })
  return { reference, address, isTest }
}

/** Creates the signed URL for each response, so that no table stores it. */
export function createSignedUrl(
  { ports }: ServerContext,
  app: App,
  { reference, address, isTest }: FundingSession,
  config: SignedFundingConfig,
): string {
  const session = { reference, address, isTest, config: addAppLooks(app, config) }
  return onRampProvider.get(ports).createSession(session).url
}

function addAppLooks({ config: ofApp }: App, config: SignedFundingConfig): SignedFundingConfig {
  const { uiConfig } = config
  const accentColor = config.accentColor ?? uiConfig?.accentColor ?? ofApp.accentColor ?? undefined
  const schemeOfApp = ofApp.theme === 'light' || ofApp.theme === 'dark' ? ofApp.theme : undefined
  const theme = config.theme ?? uiConfig?.theme ?? schemeOfApp
  return {
    ...config,
    ...(accentColor !== undefined && { accentColor }),
    ...(theme !== undefined && { theme }),
  }
}

/** Returns the stored notice if it is fresh or final, or else requests the status from the provider. */
export async function getStatus(
  context: ServerContext,
  app: App,
  caller: DialogToken,
  reference: string,
  signal: AbortSignal,
): Promise<OnRampTransaction> {
  const row = await store.findSession(context.db, caller, reference)
  if (!row) throw nothingYet()
  const isTest = row.is_test === 1
  const provider = requireOn(context, app, isTest)
  const noticed = store.parseNotice(row)
  const isFresh = nowSeconds(context.clock) - (row.heard_at ?? 0) <= fundingServerLimits.heardFreshSeconds
  if (noticed && (row.is_over === 1 || isFresh)) return noticed
  const answered = await provider.status({ reference, isTest }, signal).catch((error: unknown) => {
    if (noticed) return noticed
    throw error
  })
  const transaction = answered ?? noticed
  if (!transaction) throw nothingYet()
  return transaction
}

const nothingYet = () => new LatchkeyError('not_found', 'The provider does not know this payment yet')

export type WebhookResult = 'heard' | 'unsigned'

export async function handleWebhook(
  context: ServerContext,
  headers: Headers,
  body: string,
): Promise<WebhookResult> {
  const provider = onRampProvider.get(context.ports)
  const reading = provider.parseWebhook(headers, body, context.clock.nowMs())
  if (reading.type === 'unsigned') return 'unsigned'
  if (reading.type === 'notice')
    await store.storeNotice(context.db, context.clock, provider.id, reading.notice)
  return 'heard'
}
