import type { LoginMethod } from '@latchkey/protocol'
import type { NoEvents, PartProps, ShownPart } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Choice } from '../../shell/lazy/choice.tsx'
import { nameOfAccount } from './name-of-account.ts'
import { texts } from './texts.arb'

export type LinkState = {
  readonly method: LoginMethod
  /** The account is called this where the texts have no word for it. */
  readonly provider: string | undefined
  /** The method shows these on LANDING too: one, or as many as there are wallets. */
  readonly entries: readonly ShownPart[]
  /** Another account takes the place of this one. */
  readonly replaced: string | undefined
  /** The user has the account, and the page asks for access to it. */
  readonly isAgain: boolean
}

export function LinkScreen({
  state: { method, provider, entries, replaced, isAgain },
}: PartProps<LinkState, NoEvents>) {
  const words = useTexts(texts)
  const { link, again, update } = words
  const { title, detail } = isAgain ? again : link
  return (
    <Choice
      title={
        replaced === undefined ? title({ account: nameOfAccount(words, method, provider) }) : update.title
      }
      entries={entries}
    >
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
