/**
 * Boundary 1: host page and dialog. `parent` is the loader in the host page, `child` the dialog.
 *
 * What stands in a pinned loader of a customer's page cannot be mended: unknown events, fields and calls are
 * passed over, lifetimes cross as seconds left, and a call that waits for a person is ended by the dialog.
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
    // A refresh behind it may be tried again for as long as the schedule of retries lasts.
    accessToken: { policy: 'headless', deadlineMs: callDeadlineMs * 5 },
    // Any call of a capability that few pages use, by its name in `capability-calls.ts`.
    more: {
      policy: 'headless',
      deadlineMs: callDeadlineMs * 3,
      maxBytes: channelLimits.maxTypedDataBytes,
    },
    // What only reads a chain, at a pace of its own.
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
