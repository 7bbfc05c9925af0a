import type { ReactNode } from 'react'
import { Heading, Stack } from '../stack.tsx'
import { Lead, Title } from '../title.tsx'
import { StatusSeal } from './status-seal.tsx'

type WaitingProps = {
  title: string
  detail: string
  /** The icon of the party that the dialog waits for. */
  children: ReactNode
}

/** A screen without actions while the dialog waits. */
export const Waiting = ({ title, detail, children }: WaitingProps) => (
  <Stack>
    <StatusSeal status="waiting">{children}</StatusSeal>
    <Heading>
      <Title>{title}</Title>
      <Lead>{detail}</Lead>
    </Heading>
  </Stack>
)
