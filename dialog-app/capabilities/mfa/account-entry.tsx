import type { AccountRowEntry, AccountRowProps } from '../../contract/account.ts'
import { useTexts } from '../../i18n/context.tsx'
import { AccountRow } from '../../ui/rows/account-row.tsx'
import type { Mfa } from './create-mfa.ts'
import { texts } from './texts.arb'

export function Row({ user, onOpen }: AccountRowProps) {
  const { account } = useTexts(texts)
  const isOn = user.mfaMethods.length > 0
  return (
    <AccountRow icon="shield" label={account.label} note={isOn ? account.on : account.off} onPress={onOpen} />
  )
}

export const createAccountEntry = ({ enrolment }: Mfa): AccountRowEntry => ({
  texts,
  Row,
  open: (screens) => screens.run(enrolment),
})
