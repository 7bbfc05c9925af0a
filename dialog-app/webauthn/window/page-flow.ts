/**
 * The flow of the passkey window. The page has a handle, but neither a session nor the secret of the attempt. Each
 * press starts the device prompt, and the page is answered once.
 */
import { dialogLimits, LatchkeyError } from '@latchkey/protocol'
import { type PasskeyAnswer, type PasskeyCeremony, passkeyPageRoutes } from '@latchkey/protocol/api'
import type { Transport } from '../../api/transport.ts'
import { done, type Flow, type FlowHandle, failed } from '../../flow/flow.ts'
import { screen } from '../../flow/screen.ts'
import { type Authenticator, notAllowed } from '../authenticator.ts'
import type { PasskeyPageState } from './page-screen.tsx'
import { passkeyPageScreen } from './screens.ts'

export type PagePorts = {
  transport: Transport
  authenticator: Authenticator
  appName: string
  /** Closes the window if the browser allows it. */
  closePage: () => void
}

/** The ceremony, and the origin of the page that requests it. */
type CeremonyRequest = { ceremony: PasskeyCeremony; origin: string | null }

export const passkeyPage =
  (ports: PagePorts, name: string): Flow<void> =>
  (handle) => ({
    kind: 'passkey',
    run: createPage(ports, name, handle).read,
    onClose: () => failed(notAllowed()),
  })

function createPage(
  { transport, authenticator, appName, closePage }: PagePorts,
  name: string,
  handle: FlowHandle<void>,
) {
  const { signal } = handle
  const options = { token: null, signal }
  /** The actions of the current state. */
  let press = { ask: () => {}, leave: () => {}, retry: () => {} }

  function show(state: PasskeyPageState, now: Partial<typeof press> = {}) {
    press = { ask: () => {}, leave: () => {}, retry: () => {}, ...now }
    const view = screen(passkeyPageScreen, state, {
      ask: () => press.ask(),
      leave: () => press.leave(),
      retry: () => press.retry(),
    })
    if (handle.isAt(passkeyPageScreen)) handle.update(view)
    else handle.replace(view)
  }

  async function read() {
    show({ status: 'reading' })
    try {
      const read = await transport.send(passkeyPageRoutes.readPasskeyCeremony, { handle: name }, options)
      if (read.status === 'open') offer(read, false)
      else show({ status: 'over', why: 'answered' })
    } catch (error) {
      fail(error, read)
    }
  }

  function offer(asked: CeremonyRequest, wasRefused: boolean) {
    const { ceremony, origin } = asked
    show(
      { status: 'ready', asks: ceremony.type, appName, origin, wasRefused },
      { ask: () => void ask(asked), leave: () => void sendAnswer({ type: 'refused' }) },
    )
  }

  /** Runs synchronously in the press, because some browsers refuse prompts after an await. */
  async function ask(asked: CeremonyRequest) {
    show({ status: 'asking' })
    let answer: PasskeyAnswer
    try {
      answer = await runCeremony(asked.ceremony)
    } catch {
      if (!signal.aborted) offer(asked, true)
      return
    }
    await sendAnswer(answer)
  }

  const runCeremony = async (ceremony: PasskeyCeremony): Promise<PasskeyAnswer> =>
    ceremony.type === 'get'
      ? { type: 'get', assertion: await authenticator.get(ceremony.options, signal) }
      : { type: 'create', attestation: await authenticator.create(ceremony.options, signal) }

  async function sendAnswer(answer: PasskeyAnswer) {
    show({ status: 'telling' })
    try {
      await transport.send(passkeyPageRoutes.answerPasskeyCeremony, { handle: name, answer }, options)
    } catch (error) {
      fail(error, () => sendAnswer(answer))
      return
    }
    show({ status: answer.type === 'refused' ? 'refused' : 'answered' })
    handle.settle(done(undefined))
    handle.after(dialogLimits.successCloseMs, closePage)
  }

  /** Retries a call that the server did not answer; the device's answer is kept for that. */
  function fail(error: unknown, again: () => Promise<void>) {
    if (signal.aborted) return
    const code = error instanceof LatchkeyError ? error.code : undefined
    if (code === 'not_found') show({ status: 'over', why: 'unknown' })
    else show({ status: 'unreachable' }, { retry: () => void again() })
  }

  return { read }
}
