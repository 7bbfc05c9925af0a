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
  /** Styles the screen calmly, because the user cancelled on purpose. */
  isOwnChoice?: boolean
  children?: ReactNode
}

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
