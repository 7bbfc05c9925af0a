import type { ReactNode } from 'react'
import { Heading, Stack } from '../stack.tsx'
import { Lead, Title } from '../title.tsx'
import { StatusSeal } from './status-seal.tsx'

type WaitingProps = {
  title: string
  detail: string
  /** The face of who is waited for. */
  children: ReactNode
}

/** What is going on, where there is nothing to do meanwhile. */
export const Waiting = ({ title, detail, children }: WaitingProps) => (
  <Stack>
    <StatusSeal status="waiting">{children}</StatusSeal>
    <Heading>
      <Title>{title}</Title>
      <Lead>{detail}</Lead>
    </Heading>
  </Stack>
)
