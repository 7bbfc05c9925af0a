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
}

export function LinkScreen({ state: { method, entries, replaced } }: PartProps<LinkState, NoEvents>) {
  const { link, update, names } = useTexts(texts)
  return (
    <Choice title={replaced === undefined ? link.title(names[method]) : update.title} entries={entries}>
      {replaced === undefined ? (
        link.detail
      ) : (
        <>
          {update.present} <bdi>{replaced}</bdi>
        </>
      )}
    </Choice>
  )
}
