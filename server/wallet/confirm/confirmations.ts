/**
 * Parses, evaluates and stores each signature or account action, for a few minutes, under a handle of the dialog.
 *
 *     put ─▶ open ─▶ (page) approved or refused
 *             └────────┴─▶ used by the one release or change that it allows: confirm.ts
 */
import { createHash } from 'node:crypto'
import { confirmLimits, LatchkeyError, product } from '@latchkey/protocol'
import type {
  confirmPageRoutes,
  confirmRoutes,
  OpenConfirmation,
  RouteBody,
  RouteOutput,
} from '@latchkey/protocol/api'
import {
  accountActionSchema,
  type ConfirmableRequest,
  type ConfirmationPlace,
  type ConfirmationState,
  confirmableRequestSchema,
  confirmationPlaces,
  confirmedPurposes,
  noDelegate,
  solanaTransactionMethod,
  walletPurposes,
} from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { mayEmbed } from '../../identity/apps/apps.ts'
import type { Caller } from '../../identity/codes/codes.ts'
import { deviceNotBound, requireLivingSession } from '../../identity/sessions/sessions.ts'
import { getDisplayName, lockUser } from '../../identity/users/users.ts'
import { prices, solanaChain } from '../../integrations/prices/prices.ts'
import { requireSponsored } from '../../integrations/relays/relays.ts'
import { tooManyRequests } from '../../kernel/attempts/attempts.ts'
import type { DialogToken, ServerContext } from '../../kernel/context.ts'
import type { Language } from '../../kernel/languages.ts'
import { type App, type Clock, nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import {
  assertCodeCorrect,
  type OrderedCode,
  orderConfirmationCode,
  requireOpenerIsolation,
  sendConfirmationCode,
} from './code/code.ts'
import { verifyDecision } from './decision.ts'
import { confirmServerLimits } from './limits.ts'
import { countDecision, countRequested } from './metrics.ts'
import { describeReading, raiseUndescribed, toDescriptionField } from './reading/description.ts'
import { findChain, findTokens, getAssetNames, listMints } from './reading/names.ts'
import type { Reading } from './reading/reading.ts'
import { parseRequester, requireRelayable, requireSignInAtDapp } from './relayed.ts'
import { formatDollars } from './rules/cents.ts'
import { addL1Fee, getTotalCents } from './rules/pricing.ts'
import { type Evaluation, evaluate, evaluateSilent, evaluateUnseen, type Verdict } from './rules/rules.ts'
import { findExceededUnit } from './rules/spending.ts'
import * as store from './store.ts'
import { type ConfirmationRow, noWallet } from './tables.ts'
import { assertPasskeyApproves, createPasskeyChallenge } from './wallet-passkey.ts'

type PutBody = RouteBody<typeof confirmRoutes.putConfirmation>

export async function putConfirmation(
  context: ServerContext,
  app: App,
  caller: DialogToken,
  { handle, address, request: rawRequest, origin, requester, place }: PutBody,
): Promise<RouteOutput<typeof confirmRoutes.putConfirmation>> {
  const wallet = address === null ? undefined : await requireWallet(context, caller, address)
  if (origin !== null && !mayEmbed(app, origin)) {
    throw new LatchkeyError('origin_not_allowed', 'This origin may not request signatures')
  }
  const request = parseRequest(rawRequest)
  if (requester) requireRelayable(context, app, request, requester)
  if (request.method === solanaTransactionMethod && Object.keys(app.config.solanaRpcUrls).length === 0)
    throw new LatchkeyError('not_supported', 'Solana wallets of this app sign no transactions')
  const text = JSON.stringify(request)
  const bytes = Buffer.byteLength(text)
  const id = getConfirmationId(handle)
  const find = (reader: Reader) => store.find(reader, { id, appId: app.id })
  // Checks the limits before parsing, because parsing is the most expensive step.
  const previous = await find(context.db)
  if (previous === undefined) await requireRoom(context, caller, bytes)
  const isOfWallet = walletPurposes[confirmedPurposes[request.method]].wallet === 'named'
  const walletId = (isOfWallet && wallet?.id) || noWallet
  const { reading, decide } = await judgeRequest(context, app, {
    request,
    wallet: { id: walletId, address: wallet?.address },
    requester,
    place,
  })
  const insert = async () => {
    const decided = await decide()
    const row: ConfirmationRow = {
      id,
      app_id: app.id,
      user_id: caller.userId,
      session_id: caller.sessionId,
      wallet_id: walletId,
      address: wallet?.address ?? '',
      request: text,
      bytes,
      digest: reading.digest,
      kind: reading.kind === 'solana_transaction' ? 'transaction' : reading.kind,
      method: request.method,
      ...getRequestColumns(reading),
      ...decided,
      origin,
      requester: requester ? JSON.stringify(requester) : null,
      state: 'open',
      on_page: 0,
      expires_at: nowSeconds(context.clock) + confirmLimits.seconds,
    }
    return context.transaction(async (trx) => {
      // Serializes concurrent calls, so that each one sees the rows of the earlier ones.
      await lockUser(trx, caller)
      const concurrent = await find(trx)
      if (concurrent !== undefined) return concurrent
      const inserted = await store.insertConfirmation(trx, row, {
        ...openLimits,
        nowSeconds: nowSeconds(context.clock),
      })
      if (inserted === undefined && (await find(trx)) === undefined)
        throw tooManyRequests(confirmLimits.seconds)
      if (inserted) countRequested(trx, inserted)
      return inserted
    })
  }
  const isSame = (row: ConfirmationRow) =>
    row.session_id === caller.sessionId &&
    row.digest === reading.digest &&
    row.wallet_id === walletId &&
    row.requester === (requester ? JSON.stringify(requester) : null)
  // The call may be a retry after a lost response, even while the first one is still running.
  const existing = previous ?? (await insert()) ?? (await find(context.db))
  const isToRestrict = existing !== undefined && isSame(existing) && isStricter(place, existing.place)
  if (isToRestrict) await store.restrict(context.db, existing, await decide())
  const confirmation = isToRestrict ? await find(context.db) : existing
  if (confirmation && isSame(confirmation) && getState(confirmation, context.clock) === 'open') {
    const names = await getAssetNames(reading, app, () => prices.get(context.ports))
    return { ...toAnswer(confirmation, context.clock), names }
  }
  throw new LatchkeyError(
    'token_already_used',
    'This handle belongs to another request or was already decided',
  )
}

type JudgedRequest = {
  request: ConfirmableRequest
  /** The wallet with the budgets. */
  wallet: { id: string; address: string | undefined }
  requester: PutBody['requester']
  place: ConfirmationPlace
}

/**
 * Parses a request. `decide` chooses its approval surface by the current prices and budgets. Stores nothing. Throws for
 * a request that is not signed at all.
 */
export async function judgeRequest(
  context: ServerContext,
  app: App,
  { request, wallet, requester, place }: JudgedRequest,
): Promise<{ reading: Reading; decide: () => Promise<Placement> }> {
  // Loaded on demand: this is half of the server's code, and only signing needs it.
  const { readRequest } = await import('./reading/read-request.ts')
  const reading = await addL1Fee(context, app, readRequest(request, wallet.address))
  if (requester) requireSignInAtDapp(requester, reading)
  if (needsAccountContract(reading)) await requireUsable(context, app, reading)
  const described = await describeReading(context, app, { request, reading, from: wallet.address })
  const decide = async (): Promise<Placement> => {
    const placementRequest = { reading, method: request.method, place: requester ? ('page' as const) : place }
    const decided = raiseUndescribed(
      await decidePlacement(context, app, wallet.id, placementRequest),
      described,
    )
    return requester ? { ...decided, place: 'page', reason: 'relayed', counts_as: null } : decided
  }
  return { reading, decide }
}

async function requireWallet({ db }: ServerContext, caller: DialogToken, address: string) {
  const wallet = await store.committedWalletAt(db, caller, address)
  if (wallet) return wallet
  throw new LatchkeyError('embedded_wallet_not_found', 'The user has no such wallet')
}

const openLimits = { maxOpen: confirmLimits.maxOpen, maxBytes: confirmServerLimits.openBytesPerSession }

async function requireRoom(
  { db, clock }: ServerContext,
  { sessionId }: DialogToken,
  bytes: number,
): Promise<void> {
  const open = await store.getOpenUsage(db, sessionId, nowSeconds(clock))
  if (open.count < openLimits.maxOpen && open.bytes + bytes <= openLimits.maxBytes) return
  throw tooManyRequests(confirmLimits.seconds)
}

const isStricter = (place: ConfirmationPlace, than: ConfirmationPlace) =>
  confirmationPlaces.indexOf(place) > confirmationPlaces.indexOf(than)

/** A wallet may always stop running a contract. It only starts on a chain that the app lists. */
const needsAccountContract = (
  reading: Reading,
): reading is Extract<Reading, { kind: 'operation' | 'delegation' }> =>
  reading.kind === 'operation' || (reading.kind === 'delegation' && reading.delegate !== noDelegate)

/** Throws unless the app lists the chain, and unless its sponsor pays in the way that the operation names. */
async function requireUsable(
  context: ServerContext,
  app: App,
  reading: Extract<Reading, { kind: 'operation' | 'delegation' }>,
): Promise<void> {
  const { type } = await requireSponsored(context, app, Number(reading.chainId))
  if (reading.kind === 'delegation' || (reading.paymaster !== undefined) === (type === 'erc4337')) return
  throw new LatchkeyError('not_supported', 'Fees are paid in another way on this network')
}

type PlacementRequest = { reading: Reading; method: string; place: ConfirmationPlace }
type Placement = Verdict & Pick<ConfirmationRow, 'cents' | 'counts_as'>

/** Chooses the requested approval surface or a stricter one. */
async function decidePlacement(
  context: ServerContext,
  app: App,
  walletId: string,
  { reading, method, place }: PlacementRequest,
): Promise<Placement> {
  const asWithin = (judged: Evaluation) => applyBudgets(context, app, walletId, judged)
  const silent = place === 'silent' ? evaluateSilent(reading, app, method) : undefined
  const silently = silent && (await asWithin(silent))
  if (silently?.place === 'silent') return silently
  const onCard = await asWithin(evaluate(reading, app))
  if (onCard.place === 'page' || place === 'silent' || place === 'frame') return onCard
  const unseen = place === 'unseen' ? await asWithin(evaluateUnseen(reading, app)) : undefined
  if (unseen?.place === 'unseen') return unseen
  return { ...onCard, place: 'page', reason: 'browser', counts_as: null }
}

async function applyBudgets(
  { db, ports, clock }: ServerContext,
  app: App,
  walletId: string,
  judged: Evaluation,
): Promise<Placement> {
  const { approvals } = app
  const { place, reason } = judged
  if (judged.type === 'settled') return { place, reason, cents: null, counts_as: null }
  const { worth, budgets } = judged
  const { cents, isKnown } = await getTotalCents({ ports }, app, worth)
  const spending = { walletId, budgets, cents }
  const exceededUnit = isKnown ? await findExceededUnit(db, approvals, spending, nowSeconds(clock)) : 'cents'
  if (exceededUnit === undefined) return { place, reason, cents, counts_as: budgets.join(' ') }
  const worthReason = cents === null ? 'no_price' : 'beyond_allowance'
  return {
    place: 'page',
    reason: exceededUnit === 'times' ? 'too_often' : worthReason,
    cents,
    counts_as: null,
  }
}

function getRequestColumns(reading: Reading): Pick<ConfirmationRow, 'chain_id' | 'target' | 'value'> {
  switch (reading.kind) {
    case 'message':
    case 'account':
    case 'solana_transaction':
      return { chain_id: null, target: null, value: null }
    case 'typed_data':
      return { chain_id: reading.chainId ?? null, target: reading.contract ?? null, value: null }
    case 'transaction':
      return { chain_id: reading.chainId, target: reading.to ?? null, value: String(reading.value) }
    case 'operation':
      return { chain_id: reading.chainId, target: null, value: String(sumValues(reading.calls)) }
    case 'delegation':
      return { chain_id: reading.chainId, target: reading.delegate, value: null }
    default:
      return reading satisfies never
  }
}

const sumValues = (calls: { value: bigint }[]) => calls.reduce((sum, { value }) => sum + value, 0n)

export async function confirmationStatus(
  { db, clock }: ServerContext,
  { appId, sessionId }: DialogToken,
  handle: string,
): Promise<{ state: ConfirmationState }> {
  const row = await store.find(db, { id: getConfirmationId(handle), appId })
  if (row?.session_id !== sessionId) throw confirmationNotFound()
  return { state: getState(row, clock) }
}

/** Returns the confirmation to the confirmation page, which knows only the handle. */
export async function readConfirmation(
  context: ServerContext,
  app: App,
  handle: string,
): Promise<RouteOutput<typeof confirmPageRoutes.readConfirmation>> {
  const { db, clock } = context
  const { id: appId, config } = app
  const row = await store.find(db, { id: getConfirmationId(handle), appId })
  if (row === undefined) throw confirmationNotFound()
  const state = getState(row, clock)
  if (state !== 'open') return { state }
  const request = parseStoredRequest(row)
  const { origin } = row
  const { digest, reason, usd, expiresInSeconds } = toAnswer(row, clock)
  const address = row.address === '' ? null : row.address
  const owner = { appId: row.app_id, userId: row.user_id }
  const account = v.is(accountActionSchema, request) ? await getDisplayName(db, owner) : undefined
  const { name: appName } = config
  const [named, passkey] = await Promise.all([
    getDisplayNames(context, app, row, request),
    createPasskeyChallenge(context, { app, row }),
  ])
  return {
    state,
    appName,
    request,
    address,
    account: account ?? null,
    digest,
    reason,
    usd,
    origin,
    ...(row.requester !== null && { requester: parseRequester(row.requester) }),
    ...named,
    passkey,
    expiresInSeconds,
  }
}

type DisplayNames = Pick<
  OpenConfirmation,
  'chain' | 'token' | 'tokens' | 'l1Fee' | 'description' | 'simulation' | 'lookups'
>
const noNames: DisplayNames = { chain: null, token: null, tokens: [], l1Fee: null }

/** Returns the names of the chain and tokens of a request by the lists, with its description and simulation. */
async function getDisplayNames(
  context: ServerContext,
  app: App,
  { kind, method, chain_id: chainId, target, address }: ConfirmationRow,
  request: ConfirmableRequest,
): Promise<DisplayNames> {
  const isOnChain = kind !== 'message' && kind !== 'account' && chainId !== null
  if (!isOnChain && method !== solanaTransactionMethod) return noNames
  const getPrices = () => prices.get(context.ports)
  const info = await findChain(app, chainId)
  const chain = info ? { name: info.name, symbol: info.symbol, decimals: info.decimals } : null
  const { readRequest } = await import('./reading/read-request.ts')
  const reading = readRequest(request, address)
  const describeOne = () => describeReading(context, app, { request, reading, from: address })
  switch (reading.kind) {
    case 'typed_data': {
      const tokens = findTokens(String(chainId), reading.tokens, getPrices)
      return { ...noNames, chain, tokens, ...toDescriptionField(await describeOne()) }
    }
    case 'solana_transaction': {
      const tokens = findTokens(solanaChain, listMints(reading), getPrices)
      return { ...noNames, tokens, ...(await askSolanaNodes(context, app, reading, address)) }
    }
    case 'operation': {
      const contracts = [...new Set(reading.calls.flatMap(({ to }) => to ?? []))]
      return { ...noNames, chain, tokens: findTokens(reading.chainId, contracts, getPrices) }
    }
    case 'delegation':
      return { ...noNames, chain }
    case 'transaction': {
      const [{ getL1Fee }, { simulate }] = await Promise.all([
        import('./rules/l1-fee.ts'),
        import('./reading/simulation.ts'),
      ])
      const [fee, described, simulation] = await Promise.all([
        getL1Fee(context, app, reading),
        describeOne(),
        simulate(context, app, { ...reading, from: address }),
      ])
      const token = (target !== null && getPrices().findToken(reading.chainId, target)) || null
      const l1Fee = fee === 'none' ? null : String(fee)
      return {
        ...{ chain, token, tokens: [], l1Fee, ...toDescriptionField(described) },
        ...(simulation && { simulation }),
      }
    }
    case 'message':
    case 'account':
      return noNames
    default:
      return reading satisfies never
  }
}

/** Returns the accounts of the lookup tables, and simulates a transaction with effects that are not read. */
async function askSolanaNodes(
  context: ServerContext,
  app: App,
  { wire, lookups: named, pageReason }: Extract<Reading, { kind: 'solana_transaction' }>,
  wallet: string,
): Promise<Pick<DisplayNames, 'lookups' | 'simulation'>> {
  const [{ resolveLookups }, { simulate }] = await Promise.all([
    import('./reading/solana/lookup-tables.ts'),
    import('./reading/solana/simulation.ts'),
  ])
  const lookups = named.length > 0 ? await resolveLookups(app, named) : undefined
  const isRead = pageReason === undefined || pageReason === 'no_price'
  const simulation = isRead ? undefined : await simulate(context, app, { wire, wallet, lookups })
  return { ...(lookups && { lookups }), ...(simulation && { simulation }) }
}

type DecisionBody = RouteBody<typeof confirmPageRoutes.decideConfirmation>

/**
 * Decides a confirmation. The handle suffices to refuse. Approving needs the session's device key, or on an isolated
 * page a code or passkey of the user. An approval restarts the expiry, because a second factor may follow.
 */
export async function decideConfirmation(
  context: ServerContext,
  app: App,
  { handle, digest, decision, statement, code, passkey }: DecisionBody,
  caller: Caller,
): Promise<{ state: ConfirmationState }> {
  const { db, clock } = context
  const { id: appId } = app
  const now = nowSeconds(clock)
  const id = getConfirmationId(handle)
  if (decision === 'approve' && (code !== undefined || passkey !== undefined)) {
    const approving = { app, row: await requireOpen(context, app, handle) }
    if (approving.row.digest === digest) {
      if (code !== undefined) await assertCodeCorrect(context, approving, { ...caller, code })
      else if (passkey !== undefined) await assertPasskeyApproves(context, approving, passkey)
    }
  } else if (decision === 'approve') {
    await assertDecidedByDevice(context, { id, appId }, verifyDecision(statement, { appId, handle, digest }))
  }
  const state = decision === 'approve' ? 'approved' : 'refused'
  const expiresAt = now + confirmLimits.seconds
  const isDecided = await store.decide(db, { id, app_id: appId, digest, state, expiresAt }, now)
  const row = await store.find(db, { id, appId })
  if (row === undefined) throw confirmationNotFound()
  if (isDecided) countDecision(row, state)
  if (row.digest !== digest) {
    throw new LatchkeyError('invalid_data', 'The digest does not match the request', {
      details: { path: 'digest' },
    })
  }
  return { state: getState(row, clock) }
}

/** Returns the confirmation if it is open, otherwise throws. */
async function requireOpen(
  { db, clock }: ServerContext,
  { id: appId }: App,
  handle: string,
  reader: Reader = db,
) {
  const row = await store.find(reader, { id: getConfirmationId(handle), appId })
  if (row === undefined || getState(row, clock) !== 'open') throw confirmationNotFound()
  // An import is approved by the device key on the import page, never by a code or passkey.
  if (row.method === 'import') throw confirmationNotFound()
  return row
}

export async function orderCodeFor(
  trx: Trx,
  context: ServerContext,
  app: App,
  handle: string,
  caller: Caller,
  previous: OrderedCode | undefined,
): Promise<OrderedCode> {
  requireOpenerIsolation(app)
  const row = await requireOpen(context, app, handle, trx)
  return orderConfirmationCode(trx, context, { app, row }, caller, previous)
}

export async function sendCodeFor(
  context: ServerContext,
  { app, language }: { app: App; language: Language },
  handle: string,
  ordered: OrderedCode,
): Promise<RouteOutput<typeof confirmPageRoutes.sendConfirmationCode>> {
  const row = await requireOpen(context, app, handle)
  return sendConfirmationCode(context, { app, row }, language, ordered)
}

async function assertDecidedByDevice(
  context: ServerContext,
  key: { id: string; appId: string },
  device: string,
): Promise<void> {
  const row = await store.find(context.db, key)
  if (row === undefined) throw confirmationNotFound()
  const session = await requireLivingSession(context.db, context, row.session_id)
  if (session.device !== device) throw deviceNotBound()
}

function parseRequest(raw: PutBody['request']): ConfirmableRequest {
  const parsed = v.safeParse(confirmableRequestSchema, raw)
  if (parsed.success) return parsed.output
  const path = ['request', v.getDotPath(parsed.issues[0])].filter(Boolean).join('.')
  throw new LatchkeyError('invalid_data', 'This request cannot be confirmed', { details: { path } })
}

const parseStoredRequest = ({ request }: ConfirmationRow): ConfirmableRequest =>
  v.parse(confirmableRequestSchema, JSON.parse(request))

export function getState({ state, expires_at }: ConfirmationRow, clock: Clock): ConfirmationState {
  const isWaiting = state === 'open' || state === 'approved'
  return isWaiting && expires_at <= nowSeconds(clock) ? 'expired' : state
}

const toAnswer = ({ digest, place, reason, cents, expires_at }: ConfirmationRow, clock: Clock) => ({
  digest,
  place,
  reason,
  usd: cents === null || cents === 0 ? null : formatDollars(cents),
  expiresInSeconds: Math.max(0, expires_at - nowSeconds(clock)),
})

const confirmationNotFound = () => new LatchkeyError('not_found', 'The request was not found')

export const getConfirmationId = (handle: string) =>
  createHash('sha256').update(`${product.key}/confirmation\n${handle}`).digest('base64url')
