import { oneUseCodeParameter } from '@latchkey/protocol'
import type { Session } from '../session/session.ts'

/**
 * Creates the receiver for a page's URL parameters: it exchanges a one-use code and resumes an interrupted flow.
 * Resolves after the exchange, whether or not it succeeded.
 */
export const createParametersReceiver =
  ({ start }: Pick<Session, 'start'>, resume: (parameters: URLSearchParams) => void) =>
  async (query: string | undefined): Promise<void> => {
    const parameters = new URLSearchParams(query)
    const code = parameters.get(oneUseCodeParameter)
    parameters.delete(oneUseCodeParameter)
    const used = code ? start(code).catch(() => {}) : undefined
    if (parameters.size > 0) resume(parameters)
    await used
  }
