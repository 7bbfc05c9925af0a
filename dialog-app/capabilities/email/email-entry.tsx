import type { FirstCode } from '../../contract/code-login.ts'
import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { OfflineNote } from '../../shell/elements/offline-note.tsx'
import { EmailField } from '../../ui/fields/email-field.tsx'
import { texts } from './texts.arb'

export type EntryState = {
  status: FirstCode
  /** The address to begin with, as after going back. */
  address: string
  /** The one that this browser logged in with last. */
  remembered?: string
}
export type EntryEvents = {
  submit: readonly [address: string]
  /** Somebody else uses this browser now. */
  forget: readonly []
  cancel: readonly []
}

type EmailEntryProps = PartProps<EntryState, EntryEvents> & {
  /** The user asked for the field just now. */
  focused?: boolean
}

export function EmailEntry({ state, send, focused = false }: EmailEntryProps) {
  const { entry, missing } = useTexts(texts)
  return (
    <>
      <EmailField
        label={entry.label}
        placeholder={entry.placeholder}
        submitLabel={entry.submit}
        busyLabel={entry.sending}
        initial={state.address}
        remembered={state.remembered}
        notYouLabel={entry.notYou}
        onForget={() => send('forget')}
        busy={state.status !== 'ready'}
        problemOf={(address) => missing[missingPart(address)]}
        focused={focused}
        onSubmit={(address) => send('submit', address)}
      />
      {state.status === 'offline' && <OfflineNote onCancel={() => send('cancel')} />}
    </>
  )
}

/** What keeps a text from being an e-mail address, for whoever sends it off as it is. */
type MissingPart = 'everything' | 'at' | 'name' | 'domain' | 'form'

export function missingPart(text: string): MissingPart {
  const given = text.trim()
  const at = given.indexOf('@')
  if (given === '') return 'everything'
  if (at === -1) return 'at'
  if (at === 0) return 'name'
  return /[^.@]\.[^.]+$/.test(given.slice(at)) ? 'form' : 'domain'
}
