import type { LoginMethod } from '@latchkey/protocol'
import type { NoEvents, PartProps, ShownPart } from '../../core/screen.ts'
import { ShownPartView } from '../../face/shown-part.tsx'
import { useTexts } from '../../i18n/context.tsx'
import { OptionList } from '../../ui/group.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
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
    <Stack>
      <Heading>
        <Title>{replaced === undefined ? title(names[method]) : update.title}</Title>
        <Lead>
          {replaced === undefined ? (
            detail
          ) : (
            <>
              {update.present} <bdi>{replaced}</bdi>
            </>
          )}
        </Lead>
      </Heading>
      <OptionList>
        {entries.map((entry, position) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: their order does not change, but for those found late
          <ShownPartView key={position} part={entry} />
        ))}
      </OptionList>
    </Stack>
  )
}
