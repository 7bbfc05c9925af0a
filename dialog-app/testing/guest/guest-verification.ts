/** A second factor of the guest capability, for wallet calls that need one. */
import { LatchkeyError } from '@latchkey/protocol'
import { done, type Flow, failed } from '../../flow/flow.ts'
import { screen } from '../../flow/screen.ts'
import type { Verification } from '../../wallet/verification.ts'
import { verifyScreen } from './screens.ts'

const canceled = () => failed(new LatchkeyError('missing_or_invalid_mfa', 'MFA canceled'))

export const verify: Flow<Verification> = (handle) => ({
  kind: 'verification',
  run() {
    const confirm = () => handle.end(done({ mfaMethod: 'totp', mfaCode: '123456' }))
    handle.go(screen(verifyScreen, {}, { confirm }))
  },
  onClose: canceled,
  onBack: canceled,
})
