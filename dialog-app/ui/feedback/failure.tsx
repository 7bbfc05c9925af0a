import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { Heading, Stack } from '../stack.tsx'
import { Lead, Title } from '../title.tsx'
import { StatusSeal } from './status-seal.tsx'

type FailureProps = {
  title: string
  detail: string
  button: string
  onPress: () => void
  /** The user's own choice, which is no failure: it looks calm. */
  isOwnChoice?: boolean
  children?: ReactNode
}

/** What happened, what it means, and what to do. */
export const Failure = ({ title, detail, button, onPress, isOwnChoice, children }: FailureProps) => (
  <Stack>
    <StatusSeal status={isOwnChoice ? 'stopped' : 'failed'} />
    <Heading>
      <Title>{title}</Title>
      <Lead>{detail}</Lead>
    </Heading>
    <Button onPress={onPress}>{button}</Button>
    {children}
  </Stack>
)
