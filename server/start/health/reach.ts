/** Logs third parties that are unreachable at start. The server starts anyway, because they may become available. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { canConnect, type ThirdParty, WrongThirdPartyError } from '../../kernel/third-parties.ts'
import { reachLimits } from './limits.ts'

export async function logUnreachable(
  parties: readonly ThirdParty[],
  log: Logger,
  ending: AbortSignal,
  { tries, betweenMs, deadlineMs } = reachLimits,
): Promise<void> {
  const attempt = async ({ url, check }: ThirdParty) => {
    const signal = AbortSignal.any([ending, AbortSignal.timeout(deadlineMs)])
    await (check ? check(signal) : canConnect(url, signal))
  }
  const findProblem = async (party: ThirdParty) => {
    for (let left = tries; ; left -= 1) {
      const why = await attempt(party).then(
        () => undefined,
        (error: unknown) => getErrorReason(error),
      )
      if (ending.aborted) return undefined
      if (why === undefined || left === 1) return why
      // A service that starts together with the server may need a moment.
      await sleep(betweenMs, undefined, { ref: false, signal: ending }).catch(() => {})
    }
  }
  await Promise.all(
    parties.map(async (party) => {
      const why = await findProblem(party)
      const { host } = new URL(party.url)
      if (why !== undefined) log.warn({ variable: party.variable, host, why }, 'cannot be reached')
    }),
  )
}

/** Returns the system error code. Messages are omitted, because they may contain an address with a key. */
export function getErrorReason(error: unknown): string {
  if (error instanceof WrongThirdPartyError) return error.message
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code
  }
  return error instanceof Error ? error.name : 'unknown'
}
