/**
 * What is to be signed or done: read by this server, judged, and kept for minutes under a handle of the dialog.
 *
 *     put ─▶ open ─▶ (page) approved or refused
 *             └────────┴─▶ used, by the one release or change that it allows: confirm.ts
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
  walletPurposes,
} from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { mayEmbed } from '../../identity/apps/apps.ts'
import type { Caller } from '../../identity/codes/codes.ts'
import { deviceNotBound, livingSession } from '../../identity/sessions/sessions.ts'
import { holdUser, nameOfUser } from '../../identity/users/users.ts'
import { prices } from '../../integrations/prices/prices.ts'
import { tooManyRequests } from '../../kernel/attempts/attempts.ts'
import type { DialogToken, ServerContext } from '../../kernel/context.ts'
import type { Language } from '../../kernel/languages.ts'
import { type App, type Clock, nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import {
  assertRightCode,
  type OrderedCode,
  orderConfirmationCode,
  requireCutOff,
  sendConfirmationCode,
} from './code/code.ts'
import { countAsked, countDecision } from './counted.ts'
import { readDecision } from './decision.ts'
import { confirmServerLimits } from './limits.ts'
import { chainNamed, namesInTypedData, tokensNamed } from './reading/names.ts'
import type { Reading } from './reading/reading.ts'
import { requesterOf, requireRelayable, requireSignInOf } from './relayed.ts'
import { centsOfAmounts, withWholeFee } from './rules/priced.ts'
import { type Judged, judge, judgeSilent, judgeUnseen, type Verdict } from './rules/rules.ts'
import { exceeded } from './rules/spending.ts'
import { dollarsOf } from './rules/worth.ts'
import * as store from './store.ts'
import { type ConfirmationRow, noWallet } from './tables.ts'
import { assertRightPasskey, passkeyToAsk } from './wallet-passkey.ts'

type Put = RouteBody<typeof confirmRoutes.putConfirmation>

export async function putConfirmation(
  context: ServerContext,
  app: App,
  caller: DialogToken,
  { handle, address, request: asked, origin, requester, place }: Put,
): Promise<RouteOutput<typeof confirmRoutes.putConfirmation>> {
  const wallet = address === null ? undefined : await walletAt(context, caller, address)
  if (origin !== null && !mayEmbed(app, origin)) {
    throw new LatchkeyError('origin_not_allowed', 'No page of this origin may ask for signatures')
  }
  const request = requestIn(asked)
  if (requester) requireRelayable(context, app, request, requester)
  const text = JSON.stringify(request)
  const bytes = Buffer.byteLength(text)
  const id = idOf(handle)
  const find = (reader: Reader) => store.find(reader, { id, appId: app.id })
  // What there is no room for is not read: that costs more than all of this.
  const before = await find(context.db)
  if (before === undefined) await requireRoom(context, caller, bytes)
  // Half of what a server loads: only who signs needs it.
  const { readRequest } = await import('./reading/read-request.ts')
  const reading = await withWholeFee(context, app, readRequest(request, wallet?.address))
  if (requester) requireSignInOf(requester, reading)
  const isOfWallet = walletPurposes[confirmedPurposes[request.method]].wallet === 'named'
  const walletId = (isOfWallet && wallet?.id) || noWallet
  const decide = async (): Promise<Placed> => {
    const asked = { reading, method: request.method, place: requester ? ('page' as const) : place }
    const decided = await placed(context, app, walletId, asked)
    return requester ? { ...decided, place: 'page', reason: 'relayed', counts_as: null } : decided
  }
  const put = async () => {
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
      kind: reading.kind,
      method: request.method,
      ...namedIn(reading),
      ...decided,
      origin,
      requester: requester ? JSON.stringify(requester) : null,
      state: 'open',
      on_page: 0,
      expires_at: nowSeconds(context.clock) + confirmLimits.seconds,
    }
    return context.transaction(async (trx) => {
      // Of many that come at once each sees the ones before it.
      await holdUser(trx, caller)
      const there = await find(trx)
      if (there !== undefined) return there
      const kept = await store.put(trx, row, { ...room, nowSeconds: nowSeconds(context.clock) })
      if (kept === undefined && (await find(trx)) === undefined) throw tooManyRequests(confirmLimits.seconds)
      if (kept) countAsked(trx, kept)
      return kept
    })
  }
  const isSame = (row: ConfirmationRow) =>
    row.session_id === caller.sessionId &&
    row.digest === reading.digest &&
    row.wallet_id === walletId &&
    row.requester === (requester ? JSON.stringify(requester) : null)
  // The call may come again, whose answer was lost, also while it is still under way.
  const there = before ?? (await put()) ?? (await find(context.db))
  const isToRestrict = there !== undefined && isSame(there) && isStricter(place, there.place)
  if (isToRestrict) await store.restrict(context.db, there, await decide())
  const kept = isToRestrict ? await find(context.db) : there
  if (kept && isSame(kept) && stateOf(kept, context.clock) === 'open') {
    const names = await namesInTypedData(reading, app, () => prices.on(context.ports))
    return { ...answerOf(kept, context.clock), names }
  }
  throw new LatchkeyError('token_already_used', 'This handle is of another request, or was decided')
}

async function walletAt({ db }: ServerContext, caller: DialogToken, address: string) {
  const wallet = await store.committedWalletAt(db, caller, address)
  if (wallet) return wallet
  throw new LatchkeyError('embedded_wallet_not_found', 'The user has no such wallet')
}

const room = { maxOpen: confirmLimits.maxOpen, maxBytes: confirmServerLimits.openBytesPerSession }

async function requireRoom(
  { db, clock }: ServerContext,
  { sessionId }: DialogToken,
  bytes: number,
): Promise<void> {
  const open = await store.openOf(db, sessionId, nowSeconds(clock))
  if (open.count < room.maxOpen && open.bytes + bytes <= room.maxBytes) return
  throw tooManyRequests(confirmLimits.seconds)
}

const isStricter = (place: ConfirmationPlace, than: ConfirmationPlace) =>
  confirmationPlaces.indexOf(place) > confirmationPlaces.indexOf(than)

type Asked = { reading: Reading; method: string; place: ConfirmationPlace }
type Placed = Verdict & Pick<ConfirmationRow, 'cents' | 'counts_as'>

/** Where it may be approved: at the place that is asked for, or at a stricter one. */
async function placed(
  context: ServerContext,
  app: App,
  walletId: string,
  { reading, method, place }: Asked,
): Promise<Placed> {
  const asWithin = (judged: Judged) => placedWithin(context, app, walletId, judged)
  const silent = place === 'silent' ? judgeSilent(reading, app, method) : undefined
  const silently = silent && (await asWithin(silent))
  if (silently?.place === 'silent') return silently
  const onCard = await asWithin(judge(reading, app))
  if (onCard.place === 'page' || place === 'silent' || place === 'frame') return onCard
  const unseen = place === 'unseen' ? await asWithin(judgeUnseen(reading, app)) : undefined
  if (unseen?.place === 'unseen') return unseen
  return { ...onCard, place: 'page', reason: 'browser', counts_as: null }
}

async function placedWithin(
  { db, ports, clock }: ServerContext,
  app: App,
  walletId: string,
  judged: Judged,
): Promise<Placed> {
  const { approvals } = app
  const { place, reason } = judged
  if (judged.type === 'settled') return { place, reason, cents: null, counts_as: null }
  const { worth, budgets } = judged
  const { cents, isKnown } = await centsOfAmounts({ ports }, app, worth)
  const spending = { walletId, budgets, cents }
  const beyond = isKnown ? await exceeded(db, approvals, spending, nowSeconds(clock)) : 'cents'
  if (beyond === undefined) return { place, reason, cents, counts_as: budgets.join(' ') }
  const ofWorth = cents === null ? 'no_price' : 'beyond_allowance'
  return { place: 'page', reason: beyond === 'times' ? 'too_often' : ofWorth, cents, counts_as: null }
}

function namedIn(reading: Reading): Pick<ConfirmationRow, 'chain_id' | 'target' | 'value'> {
  switch (reading.kind) {
    case 'message':
    case 'account':
      return { chain_id: null, target: null, value: null }
    case 'typed_data':
      return { chain_id: reading.chainId ?? null, target: reading.contract ?? null, value: null }
    case 'transaction':
      return { chain_id: reading.chainId, target: reading.to ?? null, value: String(reading.value) }
    default:
      return reading satisfies never
  }
}

export async function confirmationStatus(
  { db, clock }: ServerContext,
  { appId, sessionId }: DialogToken,
  handle: string,
): Promise<{ state: ConfirmationState }> {
  const row = await store.find(db, { id: idOf(handle), appId })
  if (row?.session_id !== sessionId) throw unknown()
  return { state: stateOf(row, clock) }
}

/** The page reads a confirmation by the handle, and has nothing else. */
export async function readConfirmation(
  context: ServerContext,
  app: App,
  handle: string,
): Promise<RouteOutput<typeof confirmPageRoutes.readConfirmation>> {
  const { db, clock } = context
  const { id: appId, config } = app
  const row = await store.find(db, { id: idOf(handle), appId })
  if (row === undefined) throw unknown()
  const state = stateOf(row, clock)
  if (state !== 'open') return { state }
  const request = requestOf(row)
  const { origin } = row
  const { digest, reason, usd, expiresInSeconds } = answerOf(row, clock)
  const address = row.address === '' ? null : row.address
  const owner = { appId: row.app_id, userId: row.user_id }
  const account = v.is(accountActionSchema, request) ? await nameOfUser(db, owner) : undefined
  const { name: appName } = config
  const [named, passkey] = await Promise.all([
    namesOf(context, app, row, request),
    passkeyToAsk(context, { app, row }),
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
    ...(row.requester !== null && { requester: requesterOf(row.requester) }),
    ...named,
    passkey,
    expiresInSeconds,
  }
}

type Named = Pick<OpenConfirmation, 'chain' | 'token' | 'tokens' | 'l1Fee'>
const nothingNamed: Named = { chain: null, token: null, tokens: [], l1Fee: null }

/** What the page calls the chain of a request, and the tokens that it is for: by lists alone. */
async function namesOf(
  context: ServerContext,
  app: App,
  { kind, chain_id: chainId, target, address }: ConfirmationRow,
  request: ConfirmableRequest,
): Promise<Named> {
  if ((kind !== 'transaction' && kind !== 'typed_data') || chainId === null) return nothingNamed
  const known = () => prices.on(context.ports)
  const found = await chainNamed(app, chainId)
  const chain = found ? { name: found.name, symbol: found.symbol, decimals: found.decimals } : null
  const { readRequest } = await import('./reading/read-request.ts')
  const reading = readRequest(request, address)
  switch (reading.kind) {
    case 'typed_data':
      return { ...nothingNamed, chain, tokens: tokensNamed(chainId, reading.tokens, known) }
    case 'transaction': {
      const { l1FeeOf } = await import('./rules/l1-fee.ts')
      const fee = await l1FeeOf(context, app, reading)
      const token = (target !== null && known().findToken(chainId, target)) || null
      return { chain, token, tokens: [], l1Fee: fee === 'none' ? null : String(fee) }
    }
    case 'message':
    case 'account':
      return nothingNamed
    default:
      return reading satisfies never
  }
}

type Decided = RouteBody<typeof confirmPageRoutes.decideConfirmation>

/**
 * Whoever has the handle may refuse; to approve takes the device of the session that put the request, or its user where
 * the page is cut off from that. An approval starts the time anew: a second factor may come after it.
 */
export async function decideConfirmation(
  context: ServerContext,
  app: App,
  { handle, digest, decision, statement, code, passkey }: Decided,
  caller: Caller,
): Promise<{ state: ConfirmationState }> {
  const { db, clock } = context
  const { id: appId } = app
  const now = nowSeconds(clock)
  const id = idOf(handle)
  if (decision === 'approve' && (code !== undefined || passkey !== undefined)) {
    const approving = { app, row: await waiting(context, app, handle) }
    if (approving.row.digest === digest) {
      if (code !== undefined) await assertRightCode(context, approving, { ...caller, code })
      else if (passkey !== undefined) await assertRightPasskey(context, approving, passkey)
    }
  } else if (decision === 'approve') {
    await assertDecidedByDevice(context, { id, appId }, readDecision(statement, { appId, handle, digest }))
  }
  const state = decision === 'approve' ? 'approved' : 'refused'
  const expiresAt = now + confirmLimits.seconds
  const isDecided = await store.decide(db, { id, app_id: appId, digest, state, expiresAt }, now)
  const row = await store.find(db, { id, appId })
  if (row === undefined) throw unknown()
  if (isDecided) countDecision(row, state)
  if (row.digest !== digest) {
    throw new LatchkeyError('invalid_data', 'This is not what was asked for', { details: { path: 'digest' } })
  }
  return { state: stateOf(row, clock) }
}

/** What is open still. */
async function waiting(
  { db, clock }: ServerContext,
  { id: appId }: App,
  handle: string,
  reader: Reader = db,
) {
  const row = await store.find(reader, { id: idOf(handle), appId })
  if (row === undefined || stateOf(row, clock) !== 'open') throw unknown()
  // The import page has the key, and the device beside it approves.
  if (row.method === 'import') throw unknown()
  return row
}

export async function orderCodeFor(
  trx: Trx,
  context: ServerContext,
  app: App,
  handle: string,
  caller: Caller,
  before: OrderedCode | undefined,
): Promise<OrderedCode> {
  requireCutOff(app)
  const row = await waiting(context, app, handle, trx)
  return orderConfirmationCode(trx, context, { app, row }, caller, before)
}

export async function sendCodeFor(
  context: ServerContext,
  { app, language }: { app: App; language: Language },
  handle: string,
  ordered: OrderedCode,
): Promise<RouteOutput<typeof confirmPageRoutes.sendConfirmationCode>> {
  const row = await waiting(context, app, handle)
  return sendConfirmationCode(context, { app, row }, language, ordered)
}

async function assertDecidedByDevice(
  context: ServerContext,
  of: { id: string; appId: string },
  device: string,
): Promise<void> {
  const row = await store.find(context.db, of)
  if (row === undefined) throw unknown()
  const session = await livingSession(context.db, context, row.session_id)
  if (session.device !== device) throw deviceNotBound()
}

function requestIn(asked: Put['request']): ConfirmableRequest {
  const parsed = v.safeParse(confirmableRequestSchema, asked)
  if (parsed.success) return parsed.output
  const path = ['request', v.getDotPath(parsed.issues[0])].filter(Boolean).join('.')
  throw new LatchkeyError('invalid_data', 'This is nothing that is confirmed', { details: { path } })
}

const requestOf = ({ request }: ConfirmationRow): ConfirmableRequest =>
  v.parse(confirmableRequestSchema, JSON.parse(request))

export function stateOf({ state, expires_at }: ConfirmationRow, clock: Clock): ConfirmationState {
  const isWaiting = state === 'open' || state === 'approved'
  return isWaiting && expires_at <= nowSeconds(clock) ? 'expired' : state
}

const answerOf = ({ digest, place, reason, cents, expires_at }: ConfirmationRow, clock: Clock) => ({
  digest,
  place,
  reason,
  usd: cents === null || cents === 0 ? null : dollarsOf(cents),
  expiresInSeconds: Math.max(0, expires_at - nowSeconds(clock)),
})

const unknown = () => new LatchkeyError('not_found', 'There is no such request')

export const idOf = (handle: string) =>
  createHash('sha256').update(`${product.key}/confirmation\n${handle}`).digest('base64url')
