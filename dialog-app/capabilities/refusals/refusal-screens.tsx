import type { LatchkeyError } from '@latchkey/protocol'
import type { ReactNode } from 'react'
import { useDialog } from '../../app/context.ts'
import type { ScreenProps } from '../../app/screen.ts'
import type { AfterError } from '../../contract/refusals.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Icon } from '../../ui/icon.tsx'
import { RowIcon } from '../../ui/lazy/row-icon.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { type AllowlistState, allowlistState } from './allowlist-text.ts'
import { errorState } from './error-text.ts'
import styles from './refusal-screens.module.css'
import { texts } from './texts.arb'

type ErrorScreenProps = ScreenProps<AfterError, { error: LatchkeyError }>

type RefusalProps = {
  icon: ReactNode
  title: string
  detail: string
  children: ReactNode
}

/** A calm screen for an account that the app rejects, although nothing failed. */
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

export const ErrorScreen = ({ error, screen }: ErrorScreenProps) => (
  <ErrorView error={error} onRetry={() => screen.resolve('try again')} />
)

export function ErrorView({ error, onRetry }: { error: LatchkeyError; onRetry: () => void }) {
  const catalogue = useTexts(texts)
  const { title, detail, button } = errorState(error)
  return (
    <Failure
      title={catalogue.error[title]}
      detail={typeof detail === 'string' ? catalogue.error[detail] : catalogue.serverSaid(detail)}
      button={catalogue.error[button]}
      onPress={onRetry}
    />
  )
}

export function AllowlistScreen({ screen }: ErrorScreenProps) {
  const { services } = useDialog()
  return (
    <AllowlistView
      {...allowlistState(services.settings())}
      onStartOver={() => screen.resolve('start over')}
    />
  )
}

export type AllowlistViewProps = AllowlistState & StartOver
type StartOver = { onStartOver: () => void }

export function AllowlistView({ onStartOver, ...own }: AllowlistViewProps) {
  const { allowlist } = useTexts(texts)
  const { title = allowlist.title, detail = allowlist.detail, button = allowlist.button, link } = own
  return (
    <Refusal icon={<Icon name="lock" size={28} />} title={title} detail={detail}>
      {link === undefined ? (
        <Button onPress={onStartOver}>{button}</Button>
      ) : (
        <>
          <ButtonLink href={link}>{button}</ButtonLink>
          <Button kind="text" onPress={onStartOver}>
            {allowlist.button}
          </Button>
        </>
      )}
    </Refusal>
  )
}

export const LoginDeniedScreen = ({ screen }: ErrorScreenProps) => (
  <LoginDeniedView onStartOver={() => screen.resolve('start over')} />
)

export function LoginDeniedView({ onStartOver }: StartOver) {
  const { title, detail, button } = useTexts(texts).loginDenied
  return (
    <Refusal icon={<Icon name="lock" size={28} />} title={title} detail={detail}>
      <Button onPress={onStartOver}>{button}</Button>
    </Refusal>
  )
}

export const AccountNotFoundScreen = ({ screen }: ErrorScreenProps) => (
  <AccountNotFoundView onStartOver={() => screen.resolve('start over')} />
)

export function AccountNotFoundView({ onStartOver }: StartOver) {
  const { title, detail, button } = useTexts(texts).accountNotFound
  return (
    <Refusal icon={<RowIcon name="person" size={28} />} title={title} detail={detail}>
      <Button onPress={onStartOver}>{button}</Button>
    </Refusal>
  )
}

export const UserLimitScreen = ({ screen }: ErrorScreenProps) => (
  <UserLimitView onStartOver={() => screen.resolve('start over')} />
)

export function UserLimitView({ onStartOver }: StartOver) {
  const { title, detail, button } = useTexts(texts).userLimit
  return (
    <Refusal icon={<RowIcon name="people" size={28} />} title={title} detail={detail}>
      <Button onPress={onStartOver}>{button}</Button>
    </Refusal>
  )
}
