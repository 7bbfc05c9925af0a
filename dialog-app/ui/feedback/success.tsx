import type { ReactNode } from 'react'
import { Heading, Stack } from '../stack.tsx'
import { Lead, Title } from '../title.tsx'
import { StatusSeal } from './status-seal.tsx'

type SuccessProps = {
  title: string
  detail?: string | undefined
  /** Possible next actions. */
  children?: ReactNode
}

export const Success = ({ title, detail, children }: SuccessProps) => (
  <Stack>
    <StatusSeal status="done" />
    <Heading>
      <Title>{title}</Title>
      {detail !== undefined && <Lead>{detail}</Lead>}
    </Heading>
    {children}
  </Stack>
)
