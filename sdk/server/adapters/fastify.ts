import { type AuthOptions, type NodeRequest, rejectUnauthenticated } from '../requests/admission.ts'
import type { LatchkeyServer } from '../requests/latchkey-server.ts'

export { getAuth } from '../requests/admission.ts'

type FastifyReply = {
  code(status: number): { headers(headers: Record<string, string>): { send(body: unknown): unknown } }
}

/**
 * Creates a Fastify hook: `app.addHook('onRequest', latchkeyAuth(latchkey))`, then `getAuth(request).userId`.
 */
export const latchkeyAuth =
  (latchkey: LatchkeyServer, options: AuthOptions = {}) =>
  async (request: NodeRequest, reply: FastifyReply): Promise<unknown> => {
    const refusal = await rejectUnauthenticated(latchkey, request, options)
    if (!refusal) return undefined
    const { status, headers, body } = refusal
    return reply
      .code(status)
      .headers({ ...headers })
      .send(body)
  }
