import { Fragment, type ReactNode } from 'react'
import type { ShownElement } from '../../flow/screen.ts'
import { OptionList } from '../../ui/group.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'

type ChoiceProps = {
  title: string
  entries: readonly ShownElement[]
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
      {entries.map(({ key, element }, position) => (
        <Fragment key={key ?? position}>{element}</Fragment>
      ))}
    </OptionList>
  </Stack>
)
