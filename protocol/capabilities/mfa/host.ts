/** Multi-factor verification: methods are added and removed, and answers brought by a page that asks for them itself. */
import * as v from 'valibot'
import { mfaMethodTypes } from '../../entities/user.ts'
import type { MoreRows } from '../../rows/host-call.ts'
import { looseUser } from '../../rows/lenient.ts'

const method = v.picklist(mfaMethodTypes)
const text = v.string()
const whose = v.object({ user: looseUser })
const nothing = v.object({})

export const mfaCalls = {
  showMfaEnrollment: { policy: 'needs-user', input: nothing },
  enrollMfa: { policy: 'needs-user', input: v.object({ method }) },
  unenrollMfa: { policy: 'needs-user', input: v.object({ method }) },
  closeMfaEnrollment: { policy: 'headless', input: nothing },
  // Which methods there are has an error of its own.
  initMfa: { policy: 'headless', input: v.object({ method: v.unknown() }) },
  submitMfa: { policy: 'headless', input: v.object({ method: v.unknown(), answer: v.unknown() }) },
  cancelMfa: { policy: 'headless', input: nothing },
} as const satisfies MoreRows

export const mfaAnswers = {
  showMfaEnrollment: whose,
  enrollMfa: whose,
  unenrollMfa: whose,
  closeMfaEnrollment: nothing,
  initMfa: v.looseObject({
    relyingParty: v.exactOptional(text),
    options: v.exactOptional(v.looseObject({})),
  }),
  submitMfa: nothing,
  cancelMfa: nothing,
} as const

/** To a page that set `mfa.noPromptOnMfaRequired`: a call waits for one of these. */
export const mfaEvents = { mfaRequired: v.object({ methods: v.array(text) }) } as const
