import type { NoEvents, PartProps, ShownPart } from '../../core/screen.ts'
import { ShownPartView } from '../../face/shown-part.tsx'
import { useTexts } from '../../i18n/context.tsx'
import { OptionList } from '../../ui/group.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { texts } from './texts.ts'

export type ConnectOnlyState = {
  readonly entries: readonly ShownPart[]
  readonly isUser: boolean
  /** The one that the page would have. */
  readonly suggestedAddress: string | undefined
}

export function ConnectOnlyScreen({
  state: { entries, isUser, suggestedAddress },
}: PartProps<ConnectOnlyState, NoEvents>) {
  const { connectOnly } = useTexts(texts)
  return (
    <Stack>
      <Heading>
        <Title>{connectOnly.title}</Title>
        <Lead>
          {suggestedAddress === undefined ? (
            isUser ? (
              connectOnly.detailForUser
            ) : (
              connectOnly.detail
            )
          ) : (
            <>
              {connectOnly.suggested} <bdi>{suggestedAddress}</bdi>
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
