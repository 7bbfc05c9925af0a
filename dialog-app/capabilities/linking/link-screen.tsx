import type { LoginMethod } from '@latchkey/protocol'
import type { NoEvents, PartProps, ShownPart } from '../../core/screen.ts'
import { Choice } from '../../face/choice.tsx'
import { useTexts } from '../../i18n/context.tsx'
import { texts } from './texts.ts'

export type LinkState = {
  readonly method: LoginMethod
  /** What the method shows on LANDING too: one, or as many as there are wallets. */
  readonly entries: readonly ShownPart[]
  /** The account whose place another takes. */
  readonly replaced: string | undefined
  /** The user has the account, and the page asks for access to it. */
  readonly isAgain: boolean
}

export function LinkScreen({
  state: { method, entries, replaced, isAgain },
}: PartProps<LinkState, NoEvents>) {
  const { link, again, update, names } = useTexts(texts)
  const { title, detail } = isAgain ? again : link
  return (
    <Choice title={replaced === undefined ? title(names[method]) : update.title} entries={entries}>
      {replaced === undefined ? (
        detail
      ) : (
        <>
          {update.present} <bdi>{replaced}</bdi>
        </>
      )}
    </Choice>
  )
}
