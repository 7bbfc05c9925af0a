/**
 * How an area answers the rows of `protocol/api`. Its `routes.ts` exports a list of endpoints; `mount.ts` puts
 * them on the server and does for each what its row says: origin, app, token, body in, output out, errors.
 *
 *     export const userEndpoints: readonly Endpoint[] = [
 *       endpoint(userRoutes.me, (call, context) => userOf(context, call.caller.userId)),
 *     ]
 *
 * A failure that is known is a thrown `LatchkeyError`. Its status comes from `statuses.ts`.
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
import type { Asked, Steps } from './steps.ts'
import type { Wait } from './waits.ts'

type Parsed<Schema> = Schema extends v.GenericSchema ? v.InferOutput<Schema> : undefined

type Callers = {
  none: undefined
  identity: DialogToken | HostToken
  dialog: DialogToken
  wallet: WalletToken
  'dialog or wallet': DialogToken | WalletToken
}

/** The proof of this very call, which names this token where one is given; throws where there is none. */
export type ProofOf = (token?: string) => Proof

/** The keys of a browser that a session is bound to: that of the dialog, and that of the vault where it is there by then. */
export type ProvenBrowser = { key: string; device: string | null }

/**
 * The default of `R` is any row that needs the header of an app, as all do but those that name the app in their path.
 */
export type Call<R extends Route = Route & { appHeader: true }> = {
  /** The app of the header, which exists; or that of the path, if it does. */
  app: R['appHeader'] extends true ? App : App | undefined
  /** Verified, of this app, of a scope and session that the row takes; a dialog token with its proof. */
  caller: Callers[R['auth']]
  /** The user who is logged in, in a call that anybody may make; verified as the caller of other calls is. */
  loggedIn: () => Promise<DialogToken | undefined>
  /** Calls without a caller that start, renew or end a session ask for it. */
  proof: ProofOf
  /** What the vault of this browser states, where it does; throws for what is not signed for this app and browser. */
  statement: () => SignedStatement | undefined
  /** The same two of a call that starts a session, which belongs to them; the device has stated a login, or there is none. */
  browser: () => ProvenBrowser
  params: Readonly<Record<string, string>>
  query: Parsed<R['query']>
  headers: Parsed<R['headers']>
  body: Parsed<R['body']>
  /** The browser's `latchkey-login-binding`, or undefined. */
  binding: string | undefined
  /** The language of the dialog that makes the call, or had the wallet frame make it. */
  language: Language
  /** Who is counted by address, or undefined where an address stands for everybody (a local proxy, tests). */
  address: string | undefined
  /** Holds the call open until something happens. */
  wait: Wait
  /** The headers of the request, and cookies and headers of the answer. */
  c: Context
}

export type Handler<R extends Route> = (
  call: Call<R>,
  context: ServerContext,
) => Promise<RouteOutput<R>> | RouteOutput<R>

/**
 * A changing call in steps: what each is for is said in `steps.ts`. A step that is left out says nothing to those
 * after it.
 */
export type SteppedHandler<R extends Route, Reserved, Answer, Outcome> = {
  /** `earlier` is what it said when the ask was cut off that is now asked again. */
  reserve?: (
    trx: Trx,
    call: Call<R>,
    context: ServerContext,
    earlier: Reserved | undefined,
  ) => Promise<Reserved>
  ask?: {
    /** Whether asking the same a second time does no harm. */
    repeatable: boolean
    deadlineMs?: number
    /** Gives up when the signal says so: nobody listens any more. */
    run: (reserved: Reserved, call: Call<R>, context: ServerContext, signal: AbortSignal) => Promise<Answer>
  }
  decide?: (
    trx: Trx,
    call: Call<R>,
    context: ServerContext,
    asked: Asked<Reserved, Answer>,
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
/** Runs the steps; given by `mount.ts`. */
export type Replay = <Reserved, Answer, Outcome>(steps: Steps<Reserved, Answer, Outcome>) => Promise<unknown>

/** A row whose effect is `reads` or `changes`. */
export function endpoint<const R extends Route>(route: R, handler: Handler<R>): Endpoint {
  return { route, answer: async (call, context) => handler(call as Call<R>, context) }
}

/** A row whose effect is `changes, replayed`. */
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
    answer: (untyped, context, replay) => replay(stepsOf(handler, untyped as Call<R>, context)),
  }
}

const stepsOf = <R extends Route, Reserved, Answer, Outcome>(
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
