/**
 * Endpoints of the API. The `routes.ts` of an area exports a list of endpoints, one per row of `protocol/api`.
 * `mount.ts` mounts them and handles the generic parts: origin, app, token, input, output and errors.
 *
 *     export const userEndpoints: readonly Endpoint[] = [
 *       endpoint(userRoutes.me, (call, context) => userOf(context, call.caller.userId)),
 *     ]
 *
 * Handlers report expected failures by throwing a `LatchkeyError`. `statuses.ts` maps it to a status.
 */
import type { Route, RouteOutput } from '@latchkey/protocol/api'
import type { Context } from 'hono'
import type * as v from 'valibot'
import type { DialogToken, HostToken, ServerContext, WalletToken } from '../context.ts'
import type { Language } from '../languages.ts'
import { askLimits } from '../limits.ts'
import type { App, Trx } from '../ports.ts'
import type { Proof } from './proof/proof.ts'
import type { SignedStatement } from './proof/statement.ts'
import type { AskResult, Steps } from './steps.ts'
import type { UserAgentNames } from './user-agent.ts'
import type { Wait } from './waits.ts'

type Parsed<Schema> = Schema extends v.GenericSchema ? v.InferOutput<Schema> : undefined

type Callers = {
  none: undefined
  identity: DialogToken | HostToken
  dialog: DialogToken
  wallet: WalletToken
  'dialog or wallet': DialogToken | WalletToken
}

/** Returns the session proof of this call, bound to the token if one is passed. Throws if there is none. */
export type GetProof = (token?: string) => Proof

/**
 * The keys that a session is bound to: the dialog's key, and the vault's device key if it already exists. Names and
 * language are for notices.
 */
export type ProvenBrowser = {
  key: string
  device: string | null
  names?: UserAgentNames
  language?: Language
}

/** The input of a handler. The default of `R` is a route that requires the app header. */
export type Call<R extends Route = Route & { appHeader: true }> = {
  /** The existing app of the header, or the app of the path if it exists. */
  app: R['appHeader'] extends true ? App : App | undefined
  /** The verified token of this app, with a scope and session that the route accepts, and with its session proof. */
  caller: Callers[R['auth']]
  /** Returns the logged-in user in a public call, verified like any other caller. */
  loggedIn: () => Promise<DialogToken | undefined>
  /** Used by calls without a caller that start, renew or end a session. */
  proof: GetProof
  /** Returns the statement of the device key, if there is one. Throws if it is for another app or browser. */
  statement: () => SignedStatement | undefined
  /** Returns the keys for a new session. The device is null unless its statement is for a login. */
  browser: () => ProvenBrowser
  params: Readonly<Record<string, string>>
  query: Parsed<R['query']>
  headers: Parsed<R['headers']>
  body: Parsed<R['body']>
  /** The browser's `latchkey-login-binding`, or undefined. */
  binding: string | undefined
  /** The language of the dialog, also in calls of its wallet frame. */
  language: Language
  /** The address that rate limits count. Undefined if one address stands for all clients (local proxy, tests). */
  address: string | undefined
  /** Keeps the call open until an event. */
  wait: Wait
  /** Request headers, and cookies and headers of the response. */
  c: Context
}

export type Handler<R extends Route> = (
  call: Call<R>,
  context: ServerContext,
) => Promise<RouteOutput<R>> | RouteOutput<R>

/** A changing call in steps. `steps.ts` documents each step. An omitted step passes undefined to the next ones. */
export type SteppedHandler<R extends Route, Reserved, Answer, Outcome> = {
  /** `earlier` is the previous result if an interrupted `ask` is repeated. */
  reserve?: (
    trx: Trx,
    call: Call<R>,
    context: ServerContext,
    earlier: Reserved | undefined,
  ) => Promise<Reserved>
  ask?: {
    /** Whether the request to the third party is idempotent. */
    repeatable: boolean
    deadlineMs?: number
    /** Must stop when the signal aborts, because its result is then discarded. */
    run: (reserved: Reserved, call: Call<R>, context: ServerContext, signal: AbortSignal) => Promise<Answer>
  }
  decide?: (
    trx: Trx,
    call: Call<R>,
    context: ServerContext,
    asked: AskResult<Reserved, Answer>,
  ) => Promise<Outcome>
  perform?: (outcome: Outcome, call: Call<R>, context: ServerContext) => Promise<void>
  render: (
    outcome: Outcome,
    call: Call<R>,
    context: ServerContext,
  ) => Promise<RouteOutput<R>> | RouteOutput<R>
}

export type Endpoint = {
  route: Route
  answer: (call: Call<Route>, context: ServerContext, replay: Replay) => Promise<unknown>
}
/** Runs the steps under the request id. `mount.ts` provides it. */
export type Replay = <Reserved, Answer, Outcome>(steps: Steps<Reserved, Answer, Outcome>) => Promise<unknown>

/** Declares the handler of a route with the effect `reads`, `counts` or `changes`. */
export function endpoint<const R extends Route>(route: R, handler: Handler<R>): Endpoint {
  return { route, answer: async (call, context) => handler(call as Call<R>, context) }
}

/** Declares the handler of a route with the effect `changes, replayed`. */
export function replayedEndpoint<
  const R extends Route,
  Reserved = undefined,
  Answer = undefined,
  Outcome = undefined,
>(
  route: R & { effect: 'changes, replayed' },
  handler: SteppedHandler<R, Reserved, Answer, Outcome>,
): Endpoint {
  return {
    route,
    answer: (untyped, context, replay) => replay(bindSteps(handler, untyped as Call<R>, context)),
  }
}

const bindSteps = <R extends Route, Reserved, Answer, Outcome>(
  { reserve, ask, decide, perform, render }: SteppedHandler<R, Reserved, Answer, Outcome>,
  call: Call<R>,
  context: ServerContext,
): Steps<Reserved, Answer, Outcome> => ({
  reserve: reserve && ((trx, earlier) => reserve(trx, call, context, earlier)),
  ask: ask && {
    repeatable: ask.repeatable,
    deadlineMs: ask.deadlineMs ?? askLimits.deadlineMs,
    run: (reserved, signal) => ask.run(reserved, call, context, signal),
  },
  decide: decide && ((trx, asked) => decide(trx, call, context, asked)),
  perform: perform && ((outcome) => perform(outcome, call, context)),
  render: (outcome) => render(outcome, call, context),
})
