import type { ReactNode } from 'react'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import styles from './refusal.module.css'

/** The screen's one button. */
export type RetryEvents = { readonly retry: readonly [] }

type RefusalProps = {
  readonly icon: ReactNode
  readonly title: string
  readonly detail: string
  readonly children: ReactNode
}

/** Nothing broke: this account may not come in. So it is said without alarm. */
export const Refusal = ({ icon, title, detail, children }: RefusalProps) => (
  <Stack>
    <div className={styles.mark}>{icon}</div>
    <Heading>
      <Title>{title}</Title>
      <Lead>{detail}</Lead>
    </Heading>
    {children}
  </Stack>
)
