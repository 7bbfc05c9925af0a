/** A dialog that is a page of its own: its user's extensions put their wallets into it. */
import { LatchkeyError } from '@latchkey/protocol'
import { hostContract } from '@latchkey/protocol/host'
import { askWallet, findWallets } from '@latchkey/protocol/host-page'
import type { Clock, HostPage } from '../../browser/ports.ts'
import { orAborted, within } from '../../browser/waiting.ts'

/** A page of our own has the same deadline as a host's. */
const { deadlineMs } = hostContract.parent.walletRequest

export const createOwnPage = (clock: Clock): HostPage => ({
  findWallets,
  request: (asked, { signal }) => within(clock, deadlineMs, orAborted(askWallet(asked), signal), tooLate),
})

const tooLate = () => new LatchkeyError('call_timeout', 'The wallet did not answer in time')
