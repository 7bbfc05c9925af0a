/** What UNLINK_SCREEN says of an account that stays linked. */
import type { ErrorTable } from '../../contract/error-table.ts'
import type { LinkingTexts } from './texts.en.ts'

export const problems: ErrorTable<keyof LinkingTexts['unlink']['problems']> = {
  byCode: {
    cannot_unlink_sole_account: 'soleAccount',
    missing_or_invalid_mfa: 'enrolledInMfa',
  },
  other: 'other',
}
