import { rowFor } from '../../contract/error-table.ts'
import { type Picture, type Pictures, pictured, picturedPart } from '../../contract/picture.ts'
import { failures as failureTexts } from './failures.ts'
import type { AwaitingState } from './farcaster-screens.tsx'
import { awaitingScreen, farcasterEntry } from './screens.ts'

const awaiting = (caption: string, state: AwaitingState): Picture => ({
  caption: `Farcaster, ${caption}`,
  screen: pictured(awaitingScreen, state),
  canGoBack: state.status !== 'approved' && state.status !== 'success',
})

const connectUri = 'https://farcaster.xyz/~/siwf?channelToken=3f0a1c5e-7a46-4d06-9c1f-0b3c51a8e2d4'
const failures = [
  'linked_to_another_user',
  'invalid_credentials',
  'too_many_requests',
  'client_request_timeout',
  'cannot_link_more_of_type',
  'disallowed_login_method',
  'internal_error',
] as const

export const pictures: Pictures = {
  entries: [
    { caption: 'Farcaster', entry: picturedPart(farcasterEntry, { isAlone: false }) },
    { caption: 'Farcaster, alone', entry: picturedPart(farcasterEntry, { isAlone: true }) },
  ],
  screens: [
    awaiting('opening', { status: 'opening' }),
    awaiting('to scan', { status: 'waiting', connectUri, isPhone: false }),
    awaiting('on a phone', { status: 'waiting', connectUri, isPhone: true }),
    awaiting('approved', { status: 'approved' }),
    awaiting('success', { status: 'success' }),
    ...failures.map((code) => awaiting(code, { status: 'failed', ...rowFor(failureTexts, code) })),
  ],
}
