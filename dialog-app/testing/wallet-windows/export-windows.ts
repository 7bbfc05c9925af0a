import { LatchkeyError } from '@latchkey/protocol'
import { exportIn } from '../../capabilities/export/export.ts'
import { capabilities } from '../../capabilities/index.ts'
import type { ExportWindows } from '../../wallet/lazy/export-windows.ts'

type Ended = Parameters<ExportWindows['end']>[0]
type Begun = Parameters<ExportWindows['begin']>[0]
type Asked = Parameters<ExportWindows['confirm']>[0]

/** Windows of the wallet's origin that a test approves and closes. */
export function makeExportWindows(userAgent = 'Mozilla/5.0 Chrome/140') {
  const begun: Begun[] = []
  const confirmed: Asked[] = []
  const ended: Ended[] = []
  let handles = 0
  let found: PromiseWithResolvers<{ publicKey: string }> | undefined
  let approval: PromiseWithResolvers<{ statement: string }> | undefined
  let gone = Promise.withResolvers<void>()
  const rejected = () => new LatchkeyError('user_rejected_request', 'The window was closed')
  function until<Answer>(waiting: PromiseWithResolvers<Answer>, signal: AbortSignal) {
    signal.addEventListener('abort', () => waiting.reject(signal.reason))
    return waiting.promise
  }
  const windows: ExportWindows = {
    next(address) {
      handles += 1
      const handle = String(handles).padStart(43, 'e')
      return { handle, buttonUrl: `https://wallet.example/open-window?address=${address}#${handle}` }
    },
    begin(data, signal) {
      begun.push(data)
      found = Promise.withResolvers()
      return until(found, signal)
    },
    confirm(data, signal) {
      confirmed.push(data)
      approval = Promise.withResolvers()
      gone = Promise.withResolvers()
      return until(approval, signal)
    },
    closed: (_window, signal) => until(gone, signal),
    end: (data) => void ended.push(data),
  }
  return {
    wallet: { exportWindows: async () => windows },
    capabilities: [...capabilities.filter(({ name }) => name !== 'export'), exportIn({ userAgent })],
    begun,
    /** The windows by handle. */
    opened: () => begun.map(({ window }) => window),
    confirmed,
    ended,
    /** The window is open, with its own vault. */
    come: () => found?.resolve({ publicKey: 'key-of-the-window' }),
    /** The user presses in the window. */
    approve: () => approval?.resolve({ statement: 'signed by the device' }),
    close() {
      found?.reject(rejected())
      approval?.reject(rejected())
      gone.resolve()
    },
  }
}
