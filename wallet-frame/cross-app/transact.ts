/**
 * Another app asks this user's wallet for a signature. What is shown is what the server has, read by the code that signs
 * it; what is answered is told to the app by its server, and to the window that opened this page. Whoever leaves without
 * an answer has rejected.
 */
import { hex, isSameAddress, LatchkeyError, type UserRecord, walletLimits } from '@latchkey/protocol'
import {
  confirmPageRoutes,
  confirmRoutes,
  type crossAppFailures,
  providerRoutes,
  type RouteBody,
  type RouteOutput,
} from '@latchkey/protocol/api'
import * as v from 'valibot'
import { refuseSignInElsewhere } from '../bridge/sign-in.ts'
import { signRequest } from '../bridge/wallet-calls.ts'
import type { Clock } from '../clock.ts'
import type { Reviewed } from '../confirm/page-flow.ts'
import { readSubject } from '../confirm/subject.ts'
import type { WalletPorts } from '../shares/ports.ts'
import type { PublicApi } from '../shares/transport.ts'
import type { VaultInput } from '../vault/contract.ts'
import type { OpenerMessage } from './opener.ts'
import type { Problem, Show } from './screen/state.ts'
import { answerOfUser, isCanceled } from './screen/user-answer.ts'
import { isUnanswered, type Session } from './session/session.ts'
import type { BringWallet } from './wallet/bring-wallet.ts'
import type { Approved, Steps } from './wallet/steps.ts'

export type TransactPorts = {
  appId: string
  session: Pick<Session, 'api' | 'user'>
  vault: Pick<WalletPorts['vault'], 'call'>
  steps: Steps
  publicApi: PublicApi
  bringWallet: BringWallet
  clock: Clock
  show: Show
  tellOpener: (origins: readonly string[], message: OpenerMessage) => void
  /** The rejection as it is sent when the page goes away: it is good for a minute. */
  writeRejection: (handle: string, signal: AbortSignal) => Promise<() => void>
  /** 32 random bytes. */
  newHandle: () => string
  closePage: () => void
}

export type Transact = {
  /** Rejects where the request could not be read; what was read is answered here, whatever comes. */
  run: (handle: string, user: UserRecord, signal: AbortSignal) => Promise<void>
  /** The page goes away. */
  close: () => void
}

type Read = RouteOutput<typeof providerRoutes.readCrossAppRequest>
type Answer = RouteBody<typeof providerRoutes.answerCrossAppRequest>['answer']
type Failure = (typeof crossAppFailures)[number]
/** What a connected wallet signs. */
type EthereumRequest = Exclude<VaultInput<'sign'>['request'], { method: 'signMessage' }>

/** A request that was read and is not answered yet. */
type Pending = {
  handle: string
  read: Read
  user: UserRecord
  endsAtMs: number
  over: AbortController
  callOffDeadline: () => void
  callOffRewrite: () => void
  sendRejection: () => void
  /** Under which its user is asked. */
  confirmation: Approved | undefined
}

/** The texts of failures in messages to the window that opened this one. */
export const failureTexts: { [failure in Failure]: string } = {
  rejected: 'User rejected request',
  timeout: 'Request timeout',
  failed: 'Failed to initialize signature request',
}

/** A proof is good for 60 s. */
const rewriteMs = 20_000
/** Browsers send at most 64 KiB for a page that is gone (`keepalive`). */
const mostKeptAlive = 60_000

export function createTransact(ports: TransactPorts): Transact {
  const { appId, session, vault, steps, publicApi, bringWallet, clock, show, closePage } = ports
  let pending: Pending | undefined

  /** False where it was answered before, or its time is over. */
  function settle(one: Pending): boolean {
    if (pending !== one) return false
    pending = undefined
    one.callOffDeadline()
    one.callOffRewrite()
    return true
  }

  const tell = ({ read: { openerOrigins } }: Pending, message: OpenerMessage) =>
    ports.tellOpener(openerOrigins, message)
  const tellFailure = (one: Pending, failure: Failure) => tell(one, { error: failureTexts[failure] })

  const send = ({ handle, over: { signal } }: Pending, answer: Answer) => {
    const keepalive = answer.type !== 'signed' || answer.data.length < mostKeptAlive
    return session.api(providerRoutes.answerCrossAppRequest, { signal, keepalive }, { handle, answer })
  }

  /** Refuses a confirmation that nobody needs any more; it would expire in minutes anyway. */
  function refuseConfirmation({ confirmation, over: { signal } }: Pending) {
    if (!confirmation) return
    const caller = { signal, keepalive: true }
    publicApi(confirmPageRoutes.decideConfirmation, caller, { ...confirmation, decision: 'refuse' }).catch(
      () => {},
    )
  }

  function expire(one: Pending) {
    if (!settle(one)) return
    refuseConfirmation(one)
    tellFailure(one, 'timeout')
    show({ status: 'problem', problem: 'timeout' })
    one.over.abort(new LatchkeyError('client_request_timeout', 'Request timeout'))
  }

  function endWith(one: Pending, problem: Problem) {
    if (!settle(one)) return
    refuseConfirmation(one)
    send(one, { type: 'failed' }).catch(() => {})
    tellFailure(one, 'failed')
    show({ status: 'problem', problem })
  }

  async function reject(one: Pending) {
    if (!settle(one)) return
    show({ status: 'deciding' })
    refuseConfirmation(one)
    tellFailure(one, 'rejected')
    // Where it does not get there, the app hears of it when its time is over.
    await send(one, { type: 'rejected' }).catch(() => {})
    end('rejected')
  }

  function end(status: 'signed' | 'sent' | 'rejected') {
    show({ status })
    clock.after(walletLimits.signSuccessCloseMs, closePage)
  }

  async function rewrite(one: Pending) {
    try {
      one.sendRejection = await ports.writeRejection(one.handle, one.over.signal)
    } catch {
      // The rejection that was written before may still work; otherwise the request expires.
    }
    if (pending === one) one.callOffRewrite = clock.after(rewriteMs, () => void rewrite(one))
  }

  async function run(handle: string, user: UserRecord, signal: AbortSignal): Promise<void> {
    const read = await session.api(providerRoutes.readCrossAppRequest, { signal }, { handle })
    const one: Pending = {
      handle,
      read,
      user,
      endsAtMs: clock.nowMs() + read.expiresInSeconds * 1_000,
      over: new AbortController(),
      callOffDeadline: () => {},
      callOffRewrite: () => {},
      sendRejection: () => {},
      confirmation: undefined,
    }
    pending = one
    watchDeadline(one)
    void rewrite(one)
    await ask(one)
  }

  function watchDeadline(one: Pending) {
    one.callOffDeadline()
    one.callOffDeadline = clock.after(Math.max(0, one.endsAtMs - clock.nowMs()), () => expire(one))
  }

  /** Up to the review, and from there to the answer. */
  async function ask(one: Pending): Promise<void> {
    try {
      show({ status: 'opening' })
      const request = requestIn(one.read)
      if (!isSameAddress(await bringWallet(one.user, one.over.signal), one.read.address)) {
        return endWith(one, 'unknown')
      }
      const { approved, reviewed } = await put(one)
      const isApproved = await review(one, reviewed)
      if (!isApproved) return await reject(one)
      await sign(one, request, approved)
    } catch (error) {
      await fail(one, error, () => void ask(one))
    }
  }

  async function fail(one: Pending, error: unknown, retry: () => void): Promise<void> {
    if (pending !== one) return
    if (isCanceled(error)) return reject(one)
    if (!isUnanswered(error)) return endWith(one, problemOf(error))
    watchDeadline(one)
    show({ status: 'unreachable', retry })
  }

  async function put(one: Pending): Promise<{ approved: Approved; reviewed: Reviewed }> {
    const { signal } = one.over
    const { request: asking, address } = one.read
    const { method, params } = asking
    const handle = ports.newHandle()
    const { digest } = await session.api(
      confirmRoutes.putConfirmation,
      { signal },
      { handle, address, request: { method, params: [...params] }, origin: null, place: 'page' },
    )
    one.confirmation = { handle, digest }
    const record = await publicApi(confirmPageRoutes.readConfirmation, { signal }, { handle })
    if (record.state !== 'open') throw changed()
    const subject = await readSubject(record.request, record)
    if (subject.digest !== digest || record.digest !== digest) throw changed()
    return { approved: one.confirmation, reviewed: { record, content: subject.content } }
  }

  const review = ({ read: { requester }, over }: Pending, reviewed: Reviewed) =>
    answerOfUser<boolean>(over.signal, (give) =>
      show({
        status: 'review',
        requester,
        ...reviewed,
        approve: () => give(true),
        reject: () => give(false),
      }),
    )

  async function sign(one: Pending, request: EthereumRequest, approved: Approved): Promise<void> {
    const { signal } = one.over
    const { address, requester } = one.read
    show({ status: 'deciding' })
    // It was decided in time; whether it comes in time is for the server to say.
    one.callOffDeadline()
    const statement = await vault.call('approve', { appId, userId: session.user().id, ...approved }, signal)
    const { state } = await publicApi(
      confirmPageRoutes.decideConfirmation,
      { signal },
      { ...approved, decision: 'approve', ...statement },
    )
    if (state !== 'approved') throw changed()
    const signed = await steps.run({ purpose: 'sign', address, approved, signal }, (wallet, call) =>
      signRequest(
        { ...wallet, host: { origins: [requester.origin], isNamed: true } },
        call,
        address,
        request,
      ),
    )
    one.confirmation = undefined
    await answer(one, { type: 'signed', data: v.parse(hex, signed.data) })
  }

  /** Sends the answer. From here on, leaving the page no longer rejects the request. */
  async function answer(one: Pending, signed: Answer): Promise<void> {
    if (!settle(one)) return
    try {
      const said = await send(one, signed)
      if (said.status === 'completed') {
        tell(one, { result: said.result })
        return end(one.read.request.method === 'eth_signTransaction' ? 'sent' : 'signed')
      }
      tellFailure(one, said.error)
      show({ status: 'problem', problem: problemsOfFailure[said.error] })
    } catch (error) {
      const again = () => {
        show({ status: 'deciding' })
        pending = one
        void answer(one, signed)
      }
      if (isUnanswered(error)) return show({ status: 'unreachable', retry: again })
      const problem = problemOf(error)
      // What may have been sent, or was answered before, is for the server to say.
      if (problem !== 'outcome-unknown' && problem !== 'decided') tellFailure(one, 'failed')
      show({ status: 'problem', problem })
    }
  }

  return {
    run,
    close() {
      const one = pending
      if (!one || !settle(one)) return
      one.sendRejection()
      refuseConfirmation(one)
      tellFailure(one, 'rejected')
      // A user who comes back to the page sees the rejection.
      show({ status: 'rejected' })
      one.over.abort(new LatchkeyError('user_rejected_request', 'The page was left'))
    },
  }
}

/** Throws for what no connected wallet signs, and for what logs its signer in elsewhere than at the app that asks. */
function requestIn({ request, requester }: Read): EthereumRequest {
  if (request.method === 'signMessage') throw new LatchkeyError('invalid_data', 'This is for another chain')
  refuseSignInElsewhere(request, [requester.origin])
  return request
}

const changed = () => new LatchkeyError('share_mismatch', 'What is asked for is not what can be shown here')

const problemOf = (error: unknown): Problem =>
  (error instanceof LatchkeyError ? problems[error.code] : undefined) ?? 'failed'

const problems: { readonly [code in LatchkeyError['code']]?: Problem } = {
  invalid_request_arguments: 'sign-in-elsewhere',
  invalid_data: 'unreadable',
  invalid_message: 'unreadable',
  share_mismatch: 'changed',
  not_found: 'timeout',
  token_already_used: 'decided',
  transaction_failure: 'not-sent',
  outcome_unknown: 'outcome-unknown',
  too_many_requests: 'too-many',
  mfa_verification_max_attempts_reached: 'max-attempts',
  unknown_embedded_wallet_error: 'unrecovered',
  missing_or_invalid_mfa: 'factor-elsewhere',
}

const problemsOfFailure: { [failure in Failure]: Problem } = {
  rejected: 'decided',
  timeout: 'timeout',
  failed: 'failed',
}
