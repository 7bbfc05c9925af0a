/**
 * Asks the user after a login to confirm account changes that no mail or SMS could report. Notices without an answer are
 * shown again at the next login.
 */
import { toLatchkeyError } from '@latchkey/protocol'
import { type LoginNotice, noticeRoutes } from '@latchkey/protocol/api'
import { type CallScreens, createCall } from '../../app/screen-stack.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { done } from '../../flow/flow.ts'
import { noticeScreen } from './screens.ts'

type Ports = Pick<CapabilityPorts, 'api' | 'session'>

export async function showNotices(ports: CapabilityPorts): Promise<void> {
  const { notices } = await ports.api.call(noticeRoutes.loginNotices, undefined, {})
  if (notices.length === 0) return
  const options = { kind: 'notices', isPatient: true, onClose: () => done(undefined) }
  await ports.stage.begin(createCall<void>(ports, options, (screens) => askAbout(ports, screens, notices)))
}

async function askAbout(ports: Ports, screens: CallScreens, notices: readonly LoginNotice[]): Promise<void> {
  for (const notice of notices) {
    const outcome = await answer(ports, screens, notice)
    if (outcome === undefined) return
    if (outcome === 'acknowledged') continue
    // The session is already over at the server.
    void ports.session.logout()
    await screens.open(noticeScreen, { notice, step: { at: 'ended', outcome } })
    return
  }
}

/** Returns the outcome of the answer, or undefined if the user is no longer logged in. */
async function answer({ api }: Ports, { open, signal }: CallScreens, notice: LoginNotice) {
  let hasFailed = false
  for (;;) {
    const isMine = await open(noticeScreen, { notice, step: { at: 'asking', hasFailed } })
    void open(noticeScreen, { notice, step: { at: 'answering', isMine } })
    try {
      const body = { id: notice.id, isMine }
      return (await api.call(noticeRoutes.answerNotice, body, { signal })).outcome
    } catch (error) {
      if (signal.aborted || isLoggedOut(error)) return undefined
      hasFailed = true
    }
  }
}

function isLoggedOut(error: unknown): boolean {
  const { code } = toLatchkeyError(error, 'error', '')
  return code === 'must_be_authenticated' || code === 'missing_or_invalid_token'
}
