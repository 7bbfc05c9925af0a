/**
 * One try in a window of its own: a page of ours, opened in the click, the call that fills that page beside it, and
 * what came of it, by whichever way comes first. Where an opener policy is between the window and the dialog, the
 * server relays the result: to whoever has the secret.
 */
import { LatchkeyError, oauthLimits } from '@latchkey/protocol'
import type { Asker } from '../api/transport.ts'
import type { FlowPorts } from '../core/ports.ts'
import { wait, within } from '../waiting.ts'
import type { Hear, WindowBrowser } from './browser.ts'

export type Attempt<Grant> = {
  readonly granted: Promise<Grant>
  /** Undefined where nothing is known of its window. */
  readonly isWindowClosed: () => boolean | undefined
  readonly isOver: () => boolean
  /** Takes its window away with it. */
  readonly stop: () => void
}

/** Of a page of ours; its address is for a link where no window came. */
export type PageAttempt<Grant> = Attempt<Grant> & { readonly address: string }

export type Relay = {
  /** For the call that fills the page. */
  readonly relay: () => Promise<{ readonly handle: string; readonly challenge: string }>
  readonly hear: (hear: Hear) => void
  /** Asks until there is something. */
  readonly result: <Result extends { readonly status: string }>(
    ask: (key: { readonly handle: string; readonly secret: string }, asker: Asker) => Promise<Result>,
  ) => Promise<Exclude<Result, { readonly status: 'pending' }>>
  /** Nobody sees these calls, so they wait for the network until the whole try is over. */
  readonly asker: Asker
}

type Opening = {
  readonly clock: FlowPorts['clock']
  readonly browser: WindowBrowser
  /** Of our own page. */
  readonly addressOf: (handle: string) => string
  readonly signal: AbortSignal
  /** Until nobody waits for it any more. */
  readonly waitMs?: number
}

/** Called in the click: the window is opened before anything is awaited. */
export function beginAttempt<Grant>(
  { clock, browser, addressOf, signal, waitMs = oauthLimits.windowMs }: Opening,
  run: (relay: Relay) => Promise<Grant>,
): PageAttempt<Grant> {
  const handle = browser.secret()
  const address = addressOf(handle)
  const window = browser.open(address)
  const secret = browser.secret()
  const stopping = new AbortController()
  const over = AbortSignal.any([signal, stopping.signal])
  over.addEventListener('abort', () => window?.close(), { once: true })
  const asker = { signal: over, onNetwork: () => {} }

  const result: Relay['result'] = async (ask) => {
    for (;;) {
      const said = await ask({ handle, secret }, asker)
      if (isSettled(said)) return said
      await wait(clock, oauthLimits.resultPauseMs, over)
    }
  }
  const running = run({
    relay: async () => ({ handle, challenge: await browser.challengeOf(secret) }),
    hear: (hear) => window?.listen(hear, over),
    result,
    asker,
  })

  const stop = () => stopping.abort()
  return {
    address,
    granted: within(clock, waitMs, running, tooLate).finally(stop),
    isWindowClosed: () => window?.isClosed(),
    isOver: () => over.aborted,
    stop,
  }
}

/** The call that fills the page failed: nothing began, so it is told as any other login that does not begin. */
export class NotStarted extends Error {
  constructor(cause: unknown) {
    super('The login did not begin', { cause })
  }
}

export async function starting<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call
  } catch (error) {
    throw new NotStarted(error)
  }
}

const isSettled = <Result extends { readonly status: string }>(
  result: Result,
): result is Exclude<Result, { readonly status: 'pending' }> => result.status !== 'pending'

const tooLate = () => new LatchkeyError('client_request_timeout', 'The window did not answer in time')
