/**
 * Boundary 1: host page and dialog. `parent` is the loader in the host page, `child` the dialog.
 *
 * Pinned loaders on customers' pages cannot be fixed. So unknown events, fields and calls are ignored, lifetimes are
 * sent as remaining seconds, and the dialog ends calls that wait for the user.
 */
import type { Contract } from '../channel/contract.ts'
import { channelLimits } from '../limits/limits.ts'

const callDeadlineMs = channelLimits.callDeadlineMs
const dialogOnly = { policy: 'dialog-only', deadlineMs: callDeadlineMs } as const
const headless = { policy: 'headless', deadlineMs: callDeadlineMs } as const
const needsUser = { policy: 'needs-user' } as const

export const hostContract = {
  name: 'host',
  parent: {
    show: dialogOnly,
    hide: dialogOnly,
    event: dialogOnly,
    // The wallet's own window waits for its user.
    walletRequest: {
      policy: 'dialog-only',
      deadlineMs: callDeadlineMs * 15,
      maxBytes: channelLimits.maxHostWalletsBytes,
    },
  },
  child: {
    hello: headless,
    configure: headless,
    viewport: headless,
    login: needsUser,
    logout: headless,
    user: headless,
    // Allows time for all retries of a refresh.
    accessToken: { policy: 'headless', deadlineMs: callDeadlineMs * 5 },
    // A less common call of a capability, by its name in `capability-calls.ts`.
    more: {
      policy: 'headless',
      deadlineMs: callDeadlineMs * 3,
      maxBytes: channelLimits.maxTypedDataBytes,
    },
    // Chain reads, with a separate rate limit.
    read: {
      policy: 'headless',
      deadlineMs: callDeadlineMs * 3,
      maxBytes: channelLimits.maxTypedDataBytes,
      maxAnswerBytes: channelLimits.maxChainAnswerBytes,
      queue: 'reads',
    },
    moreForUser: { ...needsUser, maxBytes: channelLimits.maxTypedDataBytes },
  },
} as const satisfies Contract
