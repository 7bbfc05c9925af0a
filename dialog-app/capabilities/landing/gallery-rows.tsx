/** Sample rows of login methods for the pictures. */
import type { OfferedMethod } from '../../contract/login.ts'
import { useLanguage } from '../../i18n/context.tsx'
import type { Language } from '../../i18n/languages.ts'
import { Group, OptionRow } from '../../ui/group.tsx'
import { RowIcon } from '../../ui/lazy/row-icon.tsx'
import { apple } from '../../ui/marks/brands/apple.ts'
import { farcaster } from '../../ui/marks/brands/farcaster.ts'
import { google } from '../../ui/marks/brands/google.ts'
import { socialProviderMarks } from '../../ui/marks/brands/social-providers.ts'
import { Mark, type MarkDrawing } from '../../ui/marks/mark.tsx'
import { passkey } from '../../webauthn/passkey-mark.ts'

type Words = { [tag: Language]: string; en: string }
export type MethodRowProps = {
  label: Words
  mark: MarkDrawing | 'wallet'
  tag?: Words
  leadsOn?: boolean
  shows?: OfferedMethod['shows']
}

export const methodRows: readonly MethodRowProps[] = [
  { label: { en: 'Google', ar: 'غوغل' }, mark: google, tag: { en: 'Last used', ar: 'آخر ما استُخدم' } },
  { label: { en: 'Apple', ar: 'آبل' }, mark: apple },
  { label: { en: 'Discord', ar: 'ديسكورد' }, mark: socialProviderMarks.discord },
  {
    label: { en: 'Continue with a wallet', ar: 'المتابعة بمحفظة' },
    mark: 'wallet',
    leadsOn: true,
    shows: 'wallets',
  },
  {
    label: { en: 'I have a passkey', ar: 'لدي مفتاح مرور' },
    mark: passkey,
    tag: { en: 'Recommended', ar: 'موصى به' },
    shows: 'link',
  },
  { label: { en: 'GitHub', ar: 'غيت هب' }, mark: socialProviderMarks.github },
  { label: { en: 'X', ar: 'إكس' }, mark: socialProviderMarks.twitter },
  { label: { en: 'Farcaster', ar: 'فاركاستر' }, mark: farcaster },
]

export function MethodRow({ label, mark, tag, leadsOn }: MethodRowProps) {
  const language = useLanguage()
  return (
    <Group>
      <OptionRow
        icon={mark === 'wallet' ? <RowIcon name="wallet" /> : <Mark drawing={mark} />}
        label={label[language] ?? label.en}
        {...(tag !== undefined && { end: { kind: 'tag', text: tag[language] ?? tag.en } })}
        {...(leadsOn && { end: { kind: 'more' } })}
        onPress={() => undefined}
      />
    </Group>
  )
}
