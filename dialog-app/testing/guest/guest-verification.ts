/** A second factor of the guest capability, for wallet calls that need one. */
import { LatchkeyError } from '@latchkey/protocol'
import { createCall } from '../../app/screen-stack.ts'
import type { DialogServices } from '../../app/services.ts'
import { type Flow, failed } from '../../flow/flow.ts'
import type { Verification } from '../../wallet/verification.ts'
import { verifyScreen } from './screens.ts'

const cancel = () => failed(new LatchkeyError('missing_or_invalid_mfa', 'MFA canceled'))

export const createVerification = (services: DialogServices): Flow<Verification> =>
  createCall<Verification>(services, { kind: 'verification', onClose: cancel, onBack: cancel }, ({ open }) =>
    open(verifyScreen, {}),
  )
