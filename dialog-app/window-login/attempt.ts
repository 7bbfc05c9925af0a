/**
 * One try in a window of its own: a page of ours, opened in the click, the call that fills that page beside it, and
 * what came of it, by whichever way comes first. Where an opener policy is between the window and the dialog, the
 * server relays the result: to whoever has the secret.
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
import type { Asker } from '../api/transport.ts'
import { wait, within } from '../browser/waiting.ts'
import type { FlowPorts } from '../contract/ports.ts'
import type { Hear, PopupSize, WindowBrowser } from './browser.ts'

export type Attempt<Grant> = {
  granted: Promise<Grant>
  /** Undefined where nothing is known of its window. */
  isWindowClosed: () => boolean | undefined
  /** What its window asks for, where the host's opener policy keeps that from asking us. */
  digits?: string
  isOver: () => boolean
  /** Takes its window away with it. */
  stop: () => void
}

export type Relay = {
  /** Makes the call that fills the page. */
  begin: <Answer>(call: (relay: RelayBody) => Promise<Answer>) => Promise<Answer>
  hear: (hear: Hear) => void
  /** Asks until there is something. */
  result: <Result extends { status: string }>(
    ask: (key: RelayKey, options: Asker) => Promise<Result>,
  ) => Promise<Exclude<Result, { status: 'pending' }>>
  key: RelayKey
  /** Nobody sees these calls, so they wait for the network until the whole try is over. */
  options: Asker
}
type RelayKey = { handle: string; secret: string }

type Opening = Pick<FlowPorts, 'clock' | 'settings'> & {
  browser: WindowBrowser
  /** Names the start page. */
  purpose: WindowPurpose
  locale?: string | undefined
  signal: AbortSignal
  /** How long the window is waited for. */
  waitMs?: number
  size?: PopupSize
  /** What is said then. */
  tooLate?: string
}

/** The caller is a click, so the window is opened before anything is awaited. */
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
  // Whoever begins hears of it.
  startKey.catch(() => {})
  const begun = Promise.withResolvers<void>()

  /** A page of ours in this very window asks whether we opened it; it is told once the server knows of it too. */
  async function answer(data: unknown, from: string) {
    const question = v.safeParse(startQuestion, data)
    if (!question.success || from !== browser.origin) return
    if (question.output.purpose !== purpose || question.output.handle !== handle) return
    await begun.promise
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
      challenge: await browser.challengeOf(secret),
      key: publicKey,
      ...(digits !== undefined && { digits }),
      ...(hostOrigin !== null && { origin: hostOrigin }),
    })
    begun.resolve()
    return answered
  }
  const result: Relay['result'] = async (ask) => {
    for (;;) {
      const said = await ask(key, options)
      if (isSettled(said)) return said
      await wait(clock, oauthLimits.resultPauseMs, over)
    }
  }
  const running = run({ begin, hear: (hear) => window?.listen(hear, over), result, key, options })

  const stop = () => stopping.abort()
  return {
    granted: within(
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

const isSettled = <Result extends { status: string }>(
  result: Result,
): result is Exclude<Result, { status: 'pending' }> => result.status !== 'pending'
