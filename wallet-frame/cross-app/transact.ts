/**
 * Handles another app's request for a signature. The page shows the server's request, parsed by the code that
 * signs it. The app gets the answer from its server, and a message goes to the window that opened this page.
 * Leaving without an answer rejects the request.
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
import { isCanceled, waitForUser } from './screen/user-answer.ts'
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
  /** Prepares a rejection that can be sent when the page goes away. It is valid for a minute. */
  writeRejection: (handle: string, signal: AbortSignal) => Promise<() => void>
  /** Returns 32 random bytes. */
  newHandle: () => string
  closePage: () => void
}

export type Transact = {
  /** Runs a request. Rejects if it cannot be read; later errors are answered and shown here. */
  run: (handle: string, user: UserRecord, signal: AbortSignal) => Promise<void>
  /** Rejects a pending request, because the page goes away. */
  close: () => void
}

type Read = RouteOutput<typeof providerRoutes.readCrossAppRequest>
type Answer = RouteBody<typeof providerRoutes.answerCrossAppRequest>['answer']
type Failure = (typeof crossAppFailures)[number]
/** A request that a cross-app wallet can sign. */
type EthereumRequest = Exclude<VaultInput<'sign'>['request'], { method: 'signMessage' }>

/** A request that was read and is not answered yet. */
type Pending = {
  handle: string
  read: Read
  user: UserRecord
  endsAtMs: number
  over: AbortController
  cancelDeadline: () => void
  cancelRewrite: () => void
  sendRejection: () => void
  /** The confirmation that the user is asked to decide. */
  confirmation: Approved | undefined
}

/** The texts of failures in messages to the window that opened this one. */
export const failureTexts: { [failure in Failure]: string } = {
  rejected: 'User rejected request',
  timeout: 'Request timeout',
  failed: 'Failed to initialize signature request',
}

/** Rejections are rewritten more often than their proof expires (60 s). */
const rewriteMs = 20_000
/** Browsers send at most 64 KiB for a page that is gone (`keepalive`). */
const maxKeepaliveLength = 60_000

export function createTransact(ports: TransactPorts): Transact {
  const { appId, session, vault, steps, publicApi, bringWallet, clock, show, closePage } = ports
  let pending: Pending | undefined

  /** Ends the request. Returns false if it was already answered or has expired. */
  function settle(one: Pending): boolean {
    if (pending !== one) return false
    pending = undefined
    one.cancelDeadline()
    one.cancelRewrite()
    return true
  }

  const notify = ({ read: { openerOrigins } }: Pending, message: OpenerMessage) =>
    ports.tellOpener(openerOrigins, message)
  const notifyFailure = (one: Pending, failure: Failure) => notify(one, { error: failureTexts[failure] })

  const send = ({ handle, over: { signal } }: Pending, answer: Answer) => {
    const keepalive = answer.type !== 'signed' || answer.data.length < maxKeepaliveLength
    return session.api(providerRoutes.answerCrossAppRequest, { signal, keepalive }, { handle, answer })
  }

  /** Refuses an obsolete confirmation, which would otherwise expire in minutes. */
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
    notifyFailure(one, 'timeout')
    show({ status: 'problem', problem: 'timeout' })
    one.over.abort(new LatchkeyError('client_request_timeout', 'Request timeout'))
  }

  function endWith(one: Pending, problem: Problem) {
    if (!settle(one)) return
    refuseConfirmation(one)
    send(one, { type: 'failed' }).catch(() => {})
    notifyFailure(one, 'failed')
    show({ status: 'problem', problem })
  }

  async function reject(one: Pending) {
    if (!settle(one)) return
    show({ status: 'deciding' })
    refuseConfirmation(one)
    notifyFailure(one, 'rejected')
    // If this call fails, the app learns of the rejection when the request expires.
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
      // The previously written rejection may still work; otherwise the request expires.
    }
    if (pending === one) one.cancelRewrite = clock.after(rewriteMs, () => void rewrite(one))
  }

  async function run(handle: string, user: UserRecord, signal: AbortSignal): Promise<void> {
    const read = await session.api(providerRoutes.readCrossAppRequest, { signal }, { handle })
    const one: Pending = {
      handle,
      read,
      user,
      endsAtMs: clock.nowMs() + read.expiresInSeconds * 1_000,
      over: new AbortController(),
      cancelDeadline: () => {},
      cancelRewrite: () => {},
      sendRejection: () => {},
      confirmation: undefined,
    }
    pending = one
    watchDeadline(one)
    void rewrite(one)
    await runRequest(one)
  }

  function watchDeadline(one: Pending) {
    one.cancelDeadline()
    one.cancelDeadline = clock.after(Math.max(0, one.endsAtMs - clock.nowMs()), () => expire(one))
  }

  /** Runs the request from the wallet setup to the answer. */
  async function runRequest(one: Pending): Promise<void> {
    try {
      show({ status: 'opening' })
      const request = toEthereumRequest(one.read)
      if (!isSameAddress(await bringWallet(one.user, one.over.signal), one.read.address)) {
        return endWith(one, 'unknown')
      }
      const { approved, reviewed } = await createConfirmation(one)
      const isApproved = await review(one, reviewed)
      if (!isApproved) return await reject(one)
      await sign(one, request, approved)
    } catch (error) {
      await fail(one, error, () => void runRequest(one))
    }
  }

  async function fail(one: Pending, error: unknown, retry: () => void): Promise<void> {
    if (pending !== one) return
    if (isCanceled(error)) return reject(one)
    if (!isUnanswered(error)) return endWith(one, toProblem(error))
    watchDeadline(one)
    show({ status: 'unreachable', retry })
  }

  async function createConfirmation(one: Pending): Promise<{ approved: Approved; reviewed: Reviewed }> {
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
    waitForUser<boolean>(over.signal, (give) =>
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
    // The decision was in time; the server checks whether the answer is.
    one.cancelDeadline()
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
      const response = await send(one, signed)
      if (response.status === 'completed') {
        notify(one, { result: response.result })
        return end(one.read.request.method === 'eth_signTransaction' ? 'sent' : 'signed')
      }
      notifyFailure(one, response.error)
      show({ status: 'problem', problem: problemByFailure[response.error] })
    } catch (error) {
      const again = () => {
        show({ status: 'deciding' })
        pending = one
        void answer(one, signed)
      }
      if (isUnanswered(error)) return show({ status: 'unreachable', retry: again })
      const problem = toProblem(error)
      // If the outcome is unknown, only the server can report it.
      if (problem !== 'outcome-unknown' && problem !== 'decided') notifyFailure(one, 'failed')
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
      notifyFailure(one, 'rejected')
      // Shows the rejection to a user that comes back to the page.
      show({ status: 'rejected' })
      one.over.abort(new LatchkeyError('user_rejected_request', 'The page was left'))
    },
  }
}

/**
 * Returns the request. Throws for an unsupported chain, and for a sign-in to another site than the
 * requester's.
 */
function toEthereumRequest({ request, requester }: Read): EthereumRequest {
  if (request.method === 'signMessage')
    throw new LatchkeyError('invalid_data', 'The request is for another chain')
  refuseSignInElsewhere(request, [requester.origin])
  return request
}

const changed = () => new LatchkeyError('share_mismatch', 'The request changed or cannot be shown')

const toProblem = (error: unknown): Problem =>
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

const problemByFailure: { [failure in Failure]: Problem } = {
  rejected: 'decided',
  timeout: 'timeout',
  failed: 'failed',
}
