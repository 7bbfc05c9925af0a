import { rowFor } from '../../contract/error-table.ts'
import { type Picture, type Pictures, picturedView } from '../../contract/picture.ts'
import { failures } from './failures.ts'
import { connectedScreen, failedScreen, openingScreen, signerScreen } from './screens.ts'
import { Connected, Failed, type FailedProps, Opening, SignerScreen } from './signer-screen.tsx'

const approvalUrl =
  'https://farcaster.xyz/~/sign-in-with-farcaster/signer?token=0x2f0a1c5e7a464d069c1f0b3c51a8e2d4'
const codes = [
  'user_rejected_request',
  'client_request_timeout',
  'too_many_requests',
  'not_supported',
  'internal_error',
] as const

const waiting = (caption: string, isPhone: boolean, appName = 'Fieldnotes'): Picture => ({
  caption: `Farcaster signer, ${caption}`,
  screen: picturedView(signerScreen, SignerScreen, () => ({ appName, approvalUrl, isPhone })),
})
const failed = (code: (typeof codes)[number]): Picture => ({
  caption: `Farcaster signer, ${code}`,
  screen: picturedView(
    failedScreen,
    Failed,
    (press): FailedProps => ({
      failure: rowFor(failures, code),
      onRetry: press('retry'),
      onLeave: press('leave'),
    }),
  ),
})

export const pictures: Pictures = {
  screens: [
    { caption: 'Farcaster signer, opening', screen: picturedView(openingScreen, Opening, () => ({})) },
    waiting('to scan', false),
    waiting('of an app with a long name', false, 'The Society of Antiquaries of Newcastle'),
    waiting('on a phone', true),
    {
      caption: 'Farcaster signer, success',
      screen: picturedView(connectedScreen, Connected, () => ({ appName: 'Fieldnotes' })),
    },
    ...codes.map(failed),
  ],
}
