import { rowFor } from '../../contract/error-table.ts'
import { type Picture, type Pictures, pictured } from '../../contract/picture.ts'
import { failures as failureTexts } from './failures.ts'
import { signerScreen } from './screens.ts'
import type { SignerStep } from './signer-screen.tsx'

const signer = (caption: string, step: SignerStep, appName = 'Fieldnotes'): Picture => ({
  caption: `Farcaster signer, ${caption}`,
  screen: pictured(signerScreen, { appName, ...step }),
})

const approvalUrl =
  'https://farcaster.xyz/~/sign-in-with-farcaster/signer?token=0x2f0a1c5e7a464d069c1f0b3c51a8e2d4'
const failures = [
  'user_rejected_request',
  'client_request_timeout',
  'too_many_requests',
  'not_supported',
  'internal_error',
] as const

export const pictures: Pictures = {
  screens: [
    signer('opening', { status: 'opening' }),
    signer('to scan', { status: 'waiting', approvalUrl, isPhone: false }),
    signer(
      'of an app with a long name',
      { status: 'waiting', approvalUrl, isPhone: false },
      'The Society of Antiquaries of Newcastle',
    ),
    signer('on a phone', { status: 'waiting', approvalUrl, isPhone: true }),
    signer('success', { status: 'success' }),
    ...failures.map((code) => signer(code, { status: 'failed', ...rowFor(failureTexts, code) })),
  ],
}
