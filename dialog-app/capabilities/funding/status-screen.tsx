import { useTexts } from '../../i18n/context.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { StatusSeal } from '../../ui/feedback/status-seal.tsx'
import { WalletFace } from '../../ui/rows/wallet-face.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import styles from './funding-screens.module.css'
import { getShownStatus, type ShownStatus } from './payment.ts'
import { texts } from './texts.arb'
import { type FundingProps, useFunding } from './use-funding.ts'

const seals = {
  completed: 'done',
  arrived: 'done',
  failed: 'failed',
  serviceFailure: 'failed',
  waitingAuthorization: 'waiting',
  pending: 'waiting',
} as const satisfies Record<ShownStatus, string>

export function StatusScreen({ funding }: FundingProps) {
  const { payment, arrived } = useFunding(funding)
  return (
    <StatusView
      status={getShownStatus({ payment, arrived })}
      perhapsBlocked={payment?.perhapsBlocked}
      onLeave={funding.leaveStatus}
    />
  )
}

export type StatusViewProps = {
  status: ShownStatus
  /** The URL of the provider's page, if the browser may have blocked it. */
  perhapsBlocked: string | undefined
  onLeave: () => void
}

export function StatusView({ status, perhapsBlocked, onLeave }: StatusViewProps) {
  const { status: words, prompt } = useTexts(texts)
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
      {status !== 'pending' && <Button onPress={onLeave}>{isGood ? words.goOn : words.done}</Button>}
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
