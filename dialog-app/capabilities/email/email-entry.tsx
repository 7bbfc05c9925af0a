import { useState } from 'react'
import { useTexts } from '../../i18n/context.tsx'
import type { LastEmail } from '../../session/last-email.ts'
import { OfflineNote } from '../../shell/elements/offline-note.tsx'
import { EmailField } from '../../ui/fields/email-field.tsx'
import { type CodeEntryProps, type FirstCode, useFirstCode } from '../codes/use-first-code.ts'
import { texts } from './texts.arb'

type EmailEntryProps = CodeEntryProps & {
  lastEmail: LastEmail
  /** The user has just opened the field. */
  focused?: boolean
}

export function EmailEntry({ lastEmail, focused, ...options }: EmailEntryProps) {
  const [remembered, setRemembered] = useState(() =>
    options.login.purpose === 'login' ? lastEmail.read() : undefined,
  )
  const forget = () => {
    lastEmail.forget()
    setRemembered(undefined)
  }
  return (
    <EmailEntryView {...useFirstCode(options)} remembered={remembered} forget={forget} focused={focused} />
  )
}

type EmailEntryViewProps = FirstCode & {
  /** The initial address. */
  initial?: string
  /** The address of the last login in this browser. */
  remembered?: string | undefined
  /** Another person uses this browser now. */
  forget: () => void
  focused?: boolean | undefined
}

export function EmailEntryView(props: EmailEntryViewProps) {
  const { status, sendTo, cancel, remembered, initial = remembered ?? '', forget, focused = false } = props
  const { entry, missing } = useTexts(texts)
  return (
    <>
      <EmailField
        label={entry.label}
        placeholder={entry.placeholder}
        submitLabel={entry.submit}
        busyLabel={entry.sending}
        initial={initial}
        remembered={remembered}
        notYouLabel={entry.notYou}
        onForget={forget}
        busy={status !== 'ready'}
        problemOf={(address) => missing[missingPart(address)]}
        focused={focused}
        onSubmit={sendTo}
      />
      {status === 'offline' && <OfflineNote onCancel={cancel} />}
    </>
  )
}

/** The part that a submitted text lacks to be an e-mail address. */
type MissingPart = 'everything' | 'at' | 'name' | 'domain' | 'form'

export function missingPart(text: string): MissingPart {
  const address = text.trim()
  const at = address.indexOf('@')
  if (address === '') return 'everything'
  if (at === -1) return 'at'
  if (at === 0) return 'name'
  return /[^.@]\.[^.]+$/.test(address.slice(at)) ? 'form' : 'domain'
}
