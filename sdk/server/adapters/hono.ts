import type { MiddlewareHandler } from 'hono'
import { type AuthOptions, admit } from '../requests/admission.ts'
import type { LatchkeyServer } from '../requests/latchkey-server.ts'
import type { AccessToken } from '../tokens/access-token.ts'

type Variables<Options extends AuthOptions> = {
  latchkey: Options extends { optional: true } ? AccessToken | undefined : AccessToken
}

/** Creates a Hono middleware: `app.use('/api/*', latchkeyAuth(latchkey))`, then `c.get('latchkey').userId`. */
export const latchkeyAuth =
  <const Options extends AuthOptions = object>(
    latchkey: LatchkeyServer,
    options?: Options,
  ): MiddlewareHandler<{ Variables: Variables<Options> }> =>
  async (context, next) => {
    const admission = await admit(latchkey, context.req.raw.headers.get('authorization'), options)
    if (!admission.admitted) return admission.error.toResponse()
    if (admission.user) context.set('latchkey', admission.user)
    return next()
  }
