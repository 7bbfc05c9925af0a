/** Which calls carry a proof of this browser's key, and what the proof of a call is tied to. */
import { coreRoutes, type Route } from '@latchkey/protocol/api'
import type { Presented } from './proof.ts'

/** `if prepared`: without a key at hand the call goes out as nobody's, since it is not worth waiting for one. */
export type Proving = 'always' | 'if prepared' | 'never'

/** Counted or answered for anybody, so never refused for the lack of a proof. */
const anonymous: ReadonlySet<Route> = new Set<Route>([coreRoutes.analyticsEvent, coreRoutes.appConfig])

/** Whatever presents a token proves its key, and so does whatever starts or renews a session, which binds it. */
export function provingOf(route: Route, token: string | null): Proving {
  if (token !== null) return anonymous.has(route) ? 'if prepared' : 'always'
  return takesRefreshToken(route) || hasField(route.output, 'refreshToken') ? 'always' : 'never'
}

/** A refresh token is worth more than the token beside it, so the proof is tied to that one. */
export function presentedBy(
  route: Route,
  call: { readonly body: unknown; readonly token: string | null; readonly cookieCounter: number | undefined },
): Presented {
  const refreshToken: unknown = Reflect.get(Object(call.body), 'refreshToken')
  if (typeof refreshToken === 'string') return { token: refreshToken, cookieCounter: undefined }
  return { token: call.token, cookieCounter: takesRefreshToken(route) ? call.cookieCounter : undefined }
}

const takesRefreshToken = ({ body }: Route) => body !== undefined && hasField(body, 'refreshToken')

const hasField = (schema: object, field: string) =>
  'entries' in schema && Object.hasOwn(Object(schema.entries), field)
