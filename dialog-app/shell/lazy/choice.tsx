import type { ReactNode } from 'react'
import type { ShownEntry } from '../../flow/screen.ts'
import { OptionList } from '../../ui/group.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { ShownPartView } from '../elements/shown-part.tsx'

type ChoiceProps = {
  title: string
  entries: readonly ShownEntry[]
  /** The explanation of the choice. */
  children: ReactNode
}

export const Choice = ({ title, entries, children }: ChoiceProps) => (
  <Stack>
    <Heading>
      <Title>{title}</Title>
      <Lead>{children}</Lead>
    </Heading>
    <OptionList>
      {entries.map((entry, position) => (
        <ShownPartView key={entry.key ?? position} part={entry} />
      ))}
    </OptionList>
  </Stack>
)
