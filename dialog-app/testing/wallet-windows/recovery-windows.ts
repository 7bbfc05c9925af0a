import { type ErrorCode, LatchkeyError } from '@latchkey/protocol'
import { capabilities } from '../../capabilities/index.ts'
import type { RecoveryOutside } from '../../capabilities/recovery/outside.ts'
import { bringRecovery, recovery } from '../../capabilities/recovery/recovery.ts'
import type { RecoveryWindows } from '../../wallet/lazy/recovery-windows.ts'

/** Every capability, with another fixture outside of this one. */
export const capabilitiesIn = (outside: RecoveryOutside) =>
  capabilities.map((each) =>
    each.name === 'recovery'
      ? { ...recovery, bring: (ports: Parameters<typeof bringRecovery>[0]) => bringRecovery(ports, outside) }
      : each,
  )

type Asked = Parameters<RecoveryWindows['ask']>[0]
type Ended = Parameters<RecoveryWindows['end']>[0]
type Given = Awaited<ReturnType<RecoveryWindows['ask']>>
type Confirmed = Parameters<RecoveryWindows['confirm']>[0]

/** Windows of the wallet's origin in which a test enters the requested input. */
export function makeRecoveryWindows(userAgent = 'Mozilla/5.0 Chrome/140') {
  const asked: Asked[] = []
  const ended: Ended[] = []
  const confirmed: Confirmed[] = []
  let handles = 0
  let waiting: PromiseWithResolvers<Given> | undefined
  const windows: RecoveryWindows = {
    next() {
      handles += 1
      const handle = String(handles).padStart(43, 'w')
      return { handle, buttonUrl: `https://wallet.example/open-window#${handle}` }
    },
    ask(data, signal) {
      asked.push(data)
      const mine = Promise.withResolvers<Given>()
      waiting = mine
      signal.addEventListener('abort', () => mine.reject(signal.reason))
      return mine.promise
    },
    async confirm(data) {
      confirmed.push(data)
      return { statement: 'signed by the device' }
    },
    end: (data) => void ended.push(data),
  }
  return {
    windows,
    userAgent,
    /** For the fixture of a test. */
    wallet: { recoveryWindows: async () => windows },
    capabilities: capabilitiesIn({ userAgent, hasPrf: async () => true }),
    asked,
    ended,
    confirmed,
    /** The windows by handle. */
    opened: () => [...new Set(asked.map(({ window }) => window))],
    /** The user enters a password, or their passkey responds. */
    give: (given: Given = {}) => waiting?.resolve(given),
    /** The window has no input. */
    refuse: (code: ErrorCode) => waiting?.reject(new LatchkeyError(code, 'Nothing was given')),
    close: () => waiting?.reject(new LatchkeyError('user_rejected_request', 'The window was closed')),
  }
}
