import { type AuthOptions, type NodeRequest, rejectUnauthenticated } from '../requests/admission.ts'
import type { LatchkeyServer } from '../requests/latchkey-server.ts'

export { getAuth } from '../requests/admission.ts'

type ExpressResponse = {
  status(code: number): { set(headers: Record<string, string>): { json(body: unknown): unknown } }
}

/**
 * Creates an Express 4 or 5 middleware: `app.use('/api', latchkeyAuth(latchkey))`, then
 * `getAuth(request).userId`.
 */
export const latchkeyAuth =
  (latchkey: LatchkeyServer, options: AuthOptions = {}) =>
  (request: NodeRequest, response: ExpressResponse, next: (error?: unknown) => void): void => {
    rejectUnauthenticated(latchkey, request, options).then((refusal) => {
      if (!refusal) return next()
      const { status, headers, body } = refusal
      response
        .status(status)
        .set({ ...headers })
        .json(body)
    }, next)
  }
