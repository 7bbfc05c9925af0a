import type { ReactNode } from 'react'
import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Icon } from '../../ui/icon.tsx'
import { RowIcon } from '../../ui/row-icon.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import type { AllowlistState } from './allowlist-text.ts'
import type { ErrorState } from './error-text.ts'
import styles from './refusal-screens.module.css'
import { texts } from './texts.arb'

/** The screen's one button. */
type RetryEvents = { retry: readonly [] }

type RefusalProps = {
  icon: ReactNode
  title: string
  detail: string
  children: ReactNode
}

/** Nothing broke: this account may not come in. So it is said without alarm. */
const Refusal = ({ icon, title, detail, children }: RefusalProps) => (
  <Stack>
    <div className={styles.mark}>{icon}</div>
    <Heading>
      <Title>{title}</Title>
      <Lead>{detail}</Lead>
    </Heading>
    {children}
  </Stack>
)

export function ErrorScreen({ state: { title, detail, button }, send }: PartProps<ErrorState, RetryEvents>) {
  const { error, serverSaid } = useTexts(texts)
  return (
    <Failure
      title={error[title]}
      detail={typeof detail === 'string' ? error[detail] : serverSaid(detail)}
      button={error[button]}
      onPress={() => send('retry')}
    />
  )
}

export function AllowlistScreen({ state, send }: PartProps<AllowlistState, RetryEvents>) {
  const { allowlist } = useTexts(texts)
  const { title = allowlist.title, detail = allowlist.detail, button = allowlist.button, link } = state
  return (
    <Refusal icon={<Icon name="lock" size={28} />} title={title} detail={detail}>
      {link === undefined ? (
        <Button onPress={() => send('retry')}>{button}</Button>
      ) : (
        <>
          <ButtonLink href={link}>{button}</ButtonLink>
          <Button kind="text" onPress={() => send('retry')}>
            {allowlist.button}
          </Button>
        </>
      )}
    </Refusal>
  )
}

export function AccountNotFoundScreen({ send }: PartProps<unknown, RetryEvents>) {
  const { title, detail, button } = useTexts(texts).accountNotFound
  return (
    <Refusal icon={<RowIcon name="person" size={28} />} title={title} detail={detail}>
      <Button onPress={() => send('retry')}>{button}</Button>
    </Refusal>
  )
}

export function UserLimitScreen({ send }: PartProps<unknown, RetryEvents>) {
  const { title, detail, button } = useTexts(texts).userLimit
  return (
    <Refusal icon={<RowIcon name="people" size={28} />} title={title} detail={detail}>
      <Button onPress={() => send('retry')}>{button}</Button>
    </Refusal>
  )
}
