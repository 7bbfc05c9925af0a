/** The wallet bridge of a standalone dialog page, into which browser extensions inject their wallets. */
import { LatchkeyError } from '@latchkey/protocol'
import { hostContract } from '@latchkey/protocol/host'
import { askWallet, findWallets } from '@latchkey/protocol/host-page'
import type { Clock, HostPage } from '../../browser/ports.ts'
import { orAborted, withDeadline } from '../../browser/waiting.ts'

/** The deadline equals that of a host page. */
const { deadlineMs } = hostContract.parent.walletRequest

export const createOwnPage = (clock: Clock): HostPage => ({
  findWallets,
  request: (walletRequest, { signal }) =>
    withDeadline(clock, deadlineMs, orAborted(askWallet(walletRequest), signal), timeoutError),
})

const timeoutError = () => new LatchkeyError('call_timeout', 'The wallet did not answer in time')
