import type { ReactNode } from 'react'
import type { ShownPart } from '../../flow/screen.ts'
import { OptionList } from '../../ui/group.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { ShownPartView } from '../shown-part.tsx'

type ChoiceProps = {
  readonly title: string
  readonly entries: readonly ShownPart[]
  /** What comes of choosing one. */
  readonly children: ReactNode
}

export const Choice = ({ title, entries, children }: ChoiceProps) => (
  <Stack>
    <Heading>
      <Title>{title}</Title>
      <Lead>{children}</Lead>
    </Heading>
    <OptionList>
      {entries.map((entry, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: their order does not change, but for those found late
        <ShownPartView key={position} part={entry} />
      ))}
    </OptionList>
  </Stack>
)
