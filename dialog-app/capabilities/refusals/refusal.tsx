import type { ReactNode } from 'react'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import styles from './refusal.module.css'

/** The screen's one button. */
export type RetryEvents = { readonly retry: readonly [] }

type RefusalProps = {
  readonly icon: IconName
  readonly title: string
  readonly detail: string
  readonly children: ReactNode
}

/** Nothing broke: this account may not come in. So it is said without alarm. */
export const Refusal = ({ icon, title, detail, children }: RefusalProps) => (
  <Stack>
    <div className={styles.mark}>
      <Icon name={icon} size={28} />
    </div>
    <Heading>
      <Title>{title}</Title>
      <Lead>{detail}</Lead>
    </Heading>
    {children}
  </Stack>
)
