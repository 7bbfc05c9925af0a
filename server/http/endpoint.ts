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
import type { App } from '../apps/apps.ts'
import type { DialogToken, HostToken, ServerContext, WalletToken } from '../context.ts'
import type { Trx } from '../ports.ts'
import type { Proof } from './proof.ts'

type Parsed<Schema> = Schema extends v.GenericSchema ? v.InferOutput<Schema> : undefined

type Callers = {
  readonly none: undefined
  readonly identity: DialogToken | HostToken
  readonly dialog: DialogToken
  readonly wallet: WalletToken
}

/** The proof of this very call, which names this token where one is given; throws where there is none. */
export type ProofOf = (token?: string) => Proof

/** Without a row: any that needs the header of an app, as all but those that name the app in their path do. */
export type Call<R extends Route = Route & { readonly appHeader: true }> = {
  /** The app of the header, which exists; or that of the path, if it does. */
  readonly app: R['appHeader'] extends true ? App : App | undefined
  /** Verified, of this app, of a scope and session that the row takes; a dialog token with its proof. */
  readonly caller: Callers[R['auth']]
  /** For calls without a caller that start, renew or end a session. */
  readonly proof: ProofOf
  readonly params: Readonly<Record<string, string>>
  readonly query: Parsed<R['query']>
  readonly body: Parsed<R['body']>
  /** The browser's `latchkey-login-binding`, or undefined. */
  readonly binding: string | undefined
  /** Who is counted by address, or undefined where an address stands for everybody (a local proxy, tests). */
  readonly address: string | undefined
  /** The headers of the request, and cookies and headers of the answer. */
  readonly http: Context
}

export type Handler<R extends Route> = (
  call: Call<R>,
  context: ServerContext,
) => Promise<RouteOutput<R>> | RouteOutput<R>

/**
 * A changing call in steps, so that a repeated request id gives the same answer and changes nothing twice.
 *
 * 1. `decide` runs in the transaction that also keeps its outcome. The outcome is JSON and holds no secret. A
 *    failure that must be kept (a wrong code that was counted) is an outcome, not an exception: what throws is
 *    rolled back and may be decided anew.
 * 2. `perform`, where there is one, does what cannot be rolled back, after the commit: it sends the mail. It
 *    runs again for a repeated id until it once returned, so it makes what it needs from the outcome.
 * 3. `render` makes the answer from the outcome, each time, and throws the error where the outcome is one. It
 *    mints tokens; it changes nothing in the database.
 */
export type ReplayedHandler<R extends Route, Outcome> = {
  decide(trx: Trx, call: Call<R>, context: ServerContext): Promise<Outcome>
  perform?(outcome: Outcome, call: Call<R>, context: ServerContext): Promise<void>
  render(outcome: Outcome, call: Call<R>, context: ServerContext): Promise<RouteOutput<R>> | RouteOutput<R>
}

export type Endpoint = {
  readonly route: Route
  readonly answer: (call: Call<Route>, context: ServerContext, replay: Replay) => Promise<unknown>
}
/** Runs the steps; given by `mount.ts`. */
export type Replay = <Outcome>(steps: ReplaySteps<Outcome>) => Promise<unknown>
export type ReplaySteps<Outcome> = {
  readonly decide: (trx: Trx) => Promise<Outcome>
  readonly perform?: ((outcome: Outcome) => Promise<void>) | undefined
  readonly render: (outcome: Outcome) => unknown
}

/** A row whose effect is `reads` or `changes`. */
export function endpoint<const R extends Route>(route: R, handler: Handler<R>): Endpoint {
  return { route, answer: async (call, context) => handler(call as Call<R>, context) }
}

/** A row whose effect is `changes, replayed`. */
export function replayedEndpoint<const R extends Route, Outcome>(
  route: R & { readonly effect: 'changes, replayed' },
  handler: ReplayedHandler<R, Outcome>,
): Endpoint {
  return {
    route,
    answer: (untyped, context, replay) => {
      const call = untyped as Call<R>
      const { perform } = handler
      return replay<Outcome>({
        decide: (trx) => handler.decide(trx, call, context),
        perform: perform && ((outcome) => perform(outcome, call, context)),
        render: (outcome) => handler.render(outcome, call, context),
      })
    },
  }
}
