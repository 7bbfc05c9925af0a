/** Provider names and marks, identical in every language. */
import { type SocialProvider, socialProviderRows } from '@latchkey/protocol'
import { socialProviderMarks } from '../../ui/marks/brands/social-providers.ts'
import type { ProviderLook } from '../../window-login/entry.tsx'

export type { SocialProvider }

export const lookOf = (provider: SocialProvider): ProviderLook => ({
  title: socialProviderRows[provider].title,
  mark: socialProviderMarks[provider],
})
