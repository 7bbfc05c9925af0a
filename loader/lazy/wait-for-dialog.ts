/** Deadlines for requests that libraries send to the dialog. */
import { type ErrorCode, LatchkeyError } from '@latchkey/protocol'
import { refusedEvent } from '../client/page.ts'

type Waiting = { policy: 'headless' | 'needs-user'; deadlineMs?: number | undefined }

/** Runs a call until its deadline, or until the user closes the empty card before the dialog has loaded. */
export function waitForDialog<T>(
  events: EventTarget,
  { policy, deadlineMs }: Waiting,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const waiting = new AbortController()
  const { signal } = waiting
  return new Promise<T>((resolve, reject) => {
    const end = (code: ErrorCode, message: string) => reject(new LatchkeyError(code, message))
    if (policy === 'needs-user') {
      // The dialog may have completed the call already, so its response settles it.
      const refuse = () => waiting.abort(new LatchkeyError('user_rejected_request', 'The user closed it'))
      events.addEventListener(refusedEvent, refuse, { signal })
    }
    if (deadlineMs !== undefined) {
      const timer = setTimeout(() => end('call_timeout', `Not answered within ${deadlineMs} ms`), deadlineMs)
      signal.addEventListener('abort', () => clearTimeout(timer))
    }
    run(signal).then(resolve, reject)
  }).finally(() => waiting.abort())
}
