import { rowFor } from '../../contract/error-table.ts'
import { type Picture, type Pictures, picturedEntry, picturedView } from '../../contract/picture.ts'
import { onlyClose } from '../../flow/screen.ts'
import { type AwaitingState, AwaitingView, type AwaitingViewProps } from './awaiting-screen.tsx'
import { FarcasterEntry, type FarcasterEntryProps } from './entry.tsx'
import { failures as failureTexts } from './failures.ts'
import { awaitingScreen } from './screens.ts'
import { texts } from './texts.arb'

const entry = (isAlone: boolean) =>
  picturedEntry(texts, FarcasterEntry, (press): FarcasterEntryProps => ({ isAlone, onPress: press('press') }))

function awaiting(caption: string, state: AwaitingState, isPhone = false): Picture {
  const canGoBack = state.status !== 'approved' && state.status !== 'success'
  return {
    caption: `Farcaster, ${caption}`,
    screen: picturedView(
      awaitingScreen,
      AwaitingView,
      (press): AwaitingViewProps => ({
        state,
        isPhone,
        onRetry: press('retry'),
        onLeave: press('leave'),
      }),
      canGoBack ? undefined : onlyClose,
    ),
    canGoBack,
  }
}

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
    { caption: 'Farcaster', entry: entry(false) },
    { caption: 'Farcaster, alone', entry: entry(true) },
  ],
  screens: [
    awaiting('opening', { status: 'opening' }),
    awaiting('to scan', { status: 'waiting', connectUri }),
    awaiting('on a phone', { status: 'waiting', connectUri }, true),
    awaiting('approved', { status: 'approved' }),
    awaiting('success', { status: 'success' }),
    ...failures.map((code) => awaiting(code, { status: 'failed', ...rowFor(failureTexts, code) })),
  ],
}
