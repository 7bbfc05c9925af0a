/** Accounts of a user who is logged in. */
import * as v from 'valibot'
import { loginMethodSchema } from '../entities/client-config.ts'
import { socialProviders } from '../entities/linked-account.ts'
import { text } from '../entities/primitives.ts'
import type { MoreRows } from '../rows/host-call.ts'
import { looseUser } from '../rows/lenient.ts'

const method = loginMethodSchema
const whose = v.object({ user: looseUser })

export const linkingCalls = {
  link: { policy: 'needs-user', input: v.object({ method }) },
  /** `id` is what tells the account from others: its address, number, subject or other identifier. */
  unlink: { policy: 'needs-user', input: v.object({ method, id: text }) },
  updateEmail: { policy: 'needs-user', input: v.object({}) },
  reauthorize: { policy: 'needs-user', input: v.object({ provider: v.picklist(socialProviders) }) },
} as const satisfies MoreRows

export const linkingAnswers = { link: whose, unlink: whose, updateEmail: whose, reauthorize: whose } as const
