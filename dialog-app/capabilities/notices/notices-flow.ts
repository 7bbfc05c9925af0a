/**
 * Asks a user who has just logged in whether it was them: their wallet was opened on a new device, or a way in came, and
 * no contact of theirs took word of it. One after the other; what is left unanswered is asked at the next login.
 */
import { type LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import { type LoginNotice, noticeRoutes } from '@latchkey/protocol/api'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { done, type Flow } from '../../flow/flow.ts'
import { screen } from '../../flow/screen.ts'
import type { NoticeState, Step } from './notice-screen.tsx'
import { noticeScreen } from './screens.ts'

type Ports = Pick<CapabilityPorts, 'api' | 'session' | 'stage'>

export async function showNotices(ports: Ports): Promise<void> {
  const { notices } = await ports.api.call(noticeRoutes.loginNotices, undefined, {})
  const [first, ...rest] = notices
  if (first) await ports.stage.begin(noticesFlow(ports, first, rest))
}

/** Who is logged out meanwhile has nothing to answer any more. */
const isOver = ({ code }: LatchkeyError) =>
  code === 'must_be_authenticated' || code === 'missing_or_invalid_token'

const noticesFlow =
  ({ api, session }: Ports, first: LoginNotice, others: readonly LoginNotice[]): Flow<void> =>
  (handle) => {
    let notice = first
    let rest = others

    function show(step: Step) {
      const { kind, name, at } = notice
      const state: NoticeState = { kind, name, atMs: at * 1_000, step }
      handle.replace(
        screen(noticeScreen, state, {
          mine: () => void answer(true),
          notMine: () => void answer(false),
          close: () => handle.end(),
        }),
      )
    }

    async function answer(isMine: boolean) {
      show({ at: 'answering', isMine })
      try {
        const body = { id: notice.id, isMine }
        const { outcome } = await api.call(noticeRoutes.answerNotice, body, { signal: handle.signal })
        if (outcome === 'acknowledged') return next()
        // The session is over at the server: this browser need not find that out by itself.
        void session.logout()
        show({ at: 'ended', outcome })
      } catch (error) {
        if (handle.signal.aborted) return
        if (isOver(toLatchkeyError(error, 'error', ''))) return handle.end()
        show({ at: 'asking', hasFailed: true })
      }
    }

    function next() {
      const [following, ...left] = rest
      if (!following) return handle.end()
      notice = following
      rest = left
      show({ at: 'asking' })
    }

    return {
      kind: 'notices',
      run: () => show({ at: 'asking' }),
      onClose: () => done(undefined),
      isPatient: true,
    }
  }
