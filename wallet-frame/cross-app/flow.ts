/**
 * The state machine of the cross-app page: session, request, outcome. Without a session it leads to the login
 * on the dialog origin, which returns by a form with the state of this tab.
 */
import { type Handover, LatchkeyError } from '@latchkey/protocol'
import type { AuthorizePorts, createAuthorize } from './authorize.ts'
import type { PageState, Problem } from './screen/state.ts'
import type { Memory, Request } from './session/memory.ts'
import { isOver, isUnanswered, type Session } from './session/session.ts'
import type { Transact } from './transact.ts'

export type FlowPorts = {
  /** The request in the URL, which the page removes from there. */
  request: Request | undefined
  /** The login that the form carried to this page. */
  handover: Handover | undefined
  memory: Pick<Memory, 'tab' | 'rememberInTab'>
  session: Pick<Session, 'open' | 'drop'>
  authorize: ReturnType<typeof createAuthorize>
  transact: Transact
  show: AuthorizePorts['show']
  /** Returns 32 random bytes. */
  newState: () => string
  /** Leaves this page. */
  goToLogin: (state: string) => void
}

export type Flow = {
  start: () => Promise<void>
  close: () => void
}

export function createFlow(ports: FlowPorts): Flow {
  const { memory, session, authorize, transact, show } = ports
  let current = new AbortController()

  const begin = (run: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    current.abort(new LatchkeyError('call_cancelled', 'The flow was restarted'))
    current = new AbortController()
    const { signal } = current
    return run(signal).catch((error) => {
      if (!signal.aborted) fail(error)
    })
  }
  const again = () => void begin((signal) => resume(undefined, signal))

  async function resume(handover: Handover | undefined, signal: AbortSignal): Promise<void> {
    show({ status: 'opening' })
    const { request, state } = memory.tab()
    if (!request) return show({ status: 'problem', problem: 'nothing' })
    if (handover) {
      // A login that another tab or site started could put this user in an account that is not theirs.
      if (handover.state !== state) return show({ status: 'problem', problem: 'other-login', retry: again })
      memory.rememberInTab({ state: undefined })
    }
    const user = await session.open(handover, signal)
    if (signal.aborted) return
    if (!user) return logIn()
    switch (request.kind) {
      case 'authorize':
        if ((await authorize(request.interaction, user, signal)) === 'change-account')
          await changeAccount(signal)
        return
      case 'transact':
        return transact.run(request.handle, user, signal)
      default:
        return request satisfies never
    }
  }

  function logIn() {
    const state = ports.newState()
    memory.rememberInTab({ state })
    show({ status: 'to-login' })
    ports.goToLogin(state)
  }

  async function changeAccount(signal: AbortSignal) {
    show({ status: 'to-login' })
    await session.drop(signal)
    logIn()
  }

  function fail(error: unknown) {
    if (isUnanswered(error)) return show({ status: 'unreachable', retry: again })
    if (isOver(error)) return void begin((signal) => changeAccount(signal))
    const code = error instanceof LatchkeyError ? error.code : 'error'
    const problem = problems[code] ?? 'failed'
    show({ status: 'problem', problem, ...getActions(problem) })
  }

  function getActions(problem: Problem): Partial<Extract<PageState, { status: 'problem' }>> {
    if (problem === 'unknown') return { changeAccount: () => void begin(changeAccount) }
    return retriable.has(problem) ? { retry: again } : {}
  }

  return {
    start: () =>
      begin(async (signal) => {
        const { request } = ports
        if (request) memory.rememberInTab({ request })
        return resume(ports.handover, signal)
      }),
    close: transact.close,
  }
}

const retriable: ReadonlySet<Problem> = new Set(['failed', 'too-many', 'max-attempts', 'unrecovered'])
const problems: { readonly [code in LatchkeyError['code']]?: Problem } = {
  not_found: 'unknown',
  token_already_used: 'decided',
  session_storage_unavailable: 'no-storage',
  too_many_requests: 'too-many',
  mfa_verification_max_attempts_reached: 'max-attempts',
  unknown_embedded_wallet_error: 'unrecovered',
  missing_or_invalid_mfa: 'factor-elsewhere',
}
