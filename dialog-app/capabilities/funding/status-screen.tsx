import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { StatusSeal } from '../../ui/feedback/status-seal.tsx'
import { WalletFace } from '../../ui/rows/wallet-face.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import styles from './funding-screens.module.css'
import type { SeenStatus } from './on-ramp-status.ts'
import { texts } from './texts.arb'

/** `arrived`: the chain says so, whatever the provider says. */
export type ShownStatus = SeenStatus | 'arrived'
export type StatusState = {
  status: ShownStatus
  /** Where nobody knows whether the page of the provider came. */
  perhapsBlocked: string | undefined
}
export type StatusEvents = { leave: readonly [] }

const seals = {
  completed: 'done',
  arrived: 'done',
  failed: 'failed',
  serviceFailure: 'failed',
  waitingAuthorization: 'waiting',
  pending: 'waiting',
} as const satisfies Record<ShownStatus, string>

export function StatusScreen({ state, send }: PartProps<StatusState, StatusEvents>) {
  const { status: words, prompt } = useTexts(texts)
  const { status, perhapsBlocked } = state
  const { title, detail } = words.of[status]
  const isGood = status === 'completed' || status === 'arrived' || status === 'waitingAuthorization'
  return (
    <Stack>
      <Heading>
        <Title>{words.title}</Title>
      </Heading>
      <StatusSeal status={seals[status]}>
        <WalletFace />
      </StatusSeal>
      <div className={styles.said} role="status">
        <h3 className={styles.outcome}>{title}</h3>
        <Lead>{detail}</Lead>
      </div>
      {status !== 'pending' && (
        <Button onPress={() => send('leave')}>{isGood ? words.goOn : words.done}</Button>
      )}
      {status === 'pending' && perhapsBlocked !== undefined && (
        <>
          <Lead>{prompt.perhapsBlocked}</Lead>
          <ButtonLink kind="quiet" href={perhapsBlocked}>
            {prompt.open}
          </ButtonLink>
        </>
      )}
    </Stack>
  )
}
