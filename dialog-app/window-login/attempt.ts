/**
 * A login attempt in a separate window: a start page opened in the click, the call that redirects it, and the first
 * result to arrive. If an opener policy separates window and dialog, the server relays the result to the holder of
 * the secret.
 */
import { LatchkeyError, oauthLimits } from '@latchkey/protocol'
import {
  type Relay as RelayBody,
  startAnswer,
  startQuestion,
  startStatement,
  type WindowPurpose,
} from '@latchkey/protocol/api'
import * as v from 'valibot'
import type { CallOptions } from '../api/transport.ts'
import type { DialogServices } from '../app/services.ts'
import { wait, withDeadline } from '../browser/waiting.ts'
import type { Hear, PopupSize, WindowBrowser } from './browser.ts'

export type Attempt<Grant> = {
  granted: Promise<Grant>
  /** Undefined if the window's state is unreadable. */
  isWindowClosed: () => boolean | undefined
  /** The digits that the window asks for if the host page's opener policy separates it from the dialog. */
  digits?: string
  isOver: () => boolean
  /** Ends the attempt and closes its window. */
  stop: () => void
}

export type Relay = {
  /** Makes the call that redirects the start page. */
  begin: <Answer>(call: (relay: RelayBody) => Promise<Answer>) => Promise<Answer>
  hear: (hear: Hear) => void
  /** Polls until there is a result. */
  result: <Result extends { status: string }>(
    ask: (key: RelayKey, options: CallOptions) => Promise<Result>,
  ) => Promise<Exclude<Result, { status: 'pending' }>>
  key: RelayKey
  /** Options for background calls, which wait for the network until the attempt ends. */
  options: CallOptions
}
type RelayKey = { handle: string; secret: string }

type Opening = Pick<DialogServices, 'clock' | 'settings'> & {
  browser: WindowBrowser
  /** The name of the start page. */
  purpose: WindowPurpose
  locale?: string | undefined
  signal: AbortSignal
  /** The deadline for the window. */
  waitMs?: number
  size?: PopupSize
  /** The error message after the deadline. */
  tooLate?: string
}

/** Opens the window synchronously, because the caller is a click handler. */
export function beginAttempt<Grant>(
  {
    clock,
    settings,
    browser,
    purpose,
    locale,
    signal,
    waitMs = oauthLimits.windowMs,
    size,
    tooLate = 'The window did not answer in time',
  }: Opening,
  run: (relay: Relay) => Promise<Grant>,
): Attempt<Grant> {
  const key = { handle: browser.secret(), secret: browser.secret() }
  const { handle, secret } = key
  const query = locale === undefined ? '' : `?${new URLSearchParams({ locale })}`
  const window = browser.open(`/${purpose}/start/${handle}${query}`, size)
  const stopping = new AbortController()
  const over = AbortSignal.any([signal, stopping.signal])
  over.addEventListener('abort', () => window?.close(), { once: true })
  const options = { signal: over, onNetwork: () => {} }
  const { app, hostOrigin } = settings()
  const digits = app.crossOriginOpenerPolicy === 'same-origin' ? browser.digits() : undefined
  const startKey = browser.startKey()
  // `begin` awaits the key and reports its failure.
  startKey.catch(() => {})
  const serverStart = Promise.withResolvers<void>()

  /** Answers the start page's question for its opener, after the server knows the attempt. */
  async function answer(data: unknown, from: string) {
    const question = v.safeParse(startQuestion, data)
    if (!question.success || from !== browser.origin) return
    if (question.output.purpose !== purpose || question.output.handle !== handle) return
    await serverStart.promise
    const { sign } = await startKey
    const signature = await sign(startStatement(question.output))
    if (over.aborted) return
    const { type } = startAnswer.entries
    window?.tell({ type: type.literal, handle, signature } satisfies v.InferOutput<typeof startAnswer>)
  }
  window?.listen((data, from) => void answer(data, from).catch(() => {}), over)

  const begin: Relay['begin'] = async (call) => {
    const { publicKey } = await startKey
    const answered = await call({
      handle,
      challenge: await browser.createChallenge(secret),
      key: publicKey,
      ...(digits !== undefined && { digits }),
      ...(hostOrigin !== null && { origin: hostOrigin }),
    })
    serverStart.resolve()
    return answered
  }
  const result: Relay['result'] = async (ask) => {
    for (;;) {
      const response = await ask(key, options)
      if (isSettled(response)) return response
      await wait(clock, oauthLimits.resultPauseMs, over)
    }
  }
  const running = run({ begin, hear: (hear) => window?.listen(hear, over), result, key, options })

  const stop = () => stopping.abort()
  return {
    granted: withDeadline(
      clock,
      waitMs,
      running,
      () => new LatchkeyError('client_request_timeout', tooLate),
    ).finally(stop),
    isWindowClosed: () => window?.isClosed(),
    ...(digits !== undefined && { digits }),
    isOver: () => over.aborted,
    stop,
  }
}

/** The call that starts the attempt failed, so it is reported like any login that does not start. */
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

const isSettled = <Result extends { status: string }>(
  result: Result,
): result is Exclude<Result, { status: 'pending' }> => result.status !== 'pending'
