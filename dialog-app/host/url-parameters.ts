import { oneUseCodeParameter } from '@latchkey/protocol'
import type { Session } from '../session/session.ts'

/**
 * Takes what came in the address of a page, the host's or the dialog's own: a one-use code starts its session, and what
 * took the page away goes on. Resolves when the code was used, whatever it was worth.
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
