import { useEffect, useId } from 'react'
import { useBranding } from '../face/branding.ts'
import type { Gate, SignState } from '../flows/view-state.ts'
import { watchVisibility } from '../host/visibility.ts'
import { useText } from '../i18n/context.tsx'
import { en } from '../i18n/en.ts'
import { inOwnWords } from '../i18n/own-words.ts'
import { Address } from '../ui/address.tsx'
import { Banner } from '../ui/banner.tsx'
import base from '../ui/base.module.css'
import { Button } from '../ui/button.tsx'
import { useCard } from '../ui/card.ts'
import { Fact, Facts } from '../ui/group.tsx'
import { Logo } from '../ui/logo.tsx'
import { StatusSeal } from '../ui/status-seal.tsx'
import { Lead, Title } from '../ui/title.tsx'
import styles from './EMBEDDED_WALLET_SIGN_REQUEST_SCREEN.module.css'
import { Failure } from './failure.tsx'
import { MessageBox } from './message-box.tsx'
import type { ScreenProps } from './screen.ts'
import { Heading, Stack } from './stack.tsx'

type Props = ScreenProps<'EMBEDDED_WALLET_SIGN_REQUEST_SCREEN'>

export function EMBEDDED_WALLET_SIGN_REQUEST_SCREEN({ state, send }: Props) {
  const { sign } = useText()
  switch (state.status) {
    case 'review':
    case 'signing':
      return <Review state={state} gate={state.status === 'review' ? state.gate : 'armed'} send={send} />
    case 'success':
      return (
        <Stack>
          <StatusSeal status="done" />
          <Heading>
            <Title>{sign.success}</Title>
          </Heading>
        </Stack>
      )
    case 'failed':
      return (
        <Failure
          title={sign.failedTitle}
          detail={state.problem}
          button={sign.retry}
          onPress={() => send({ type: 'retry' })}
        />
      )
    default:
      return state satisfies never
  }
}

type ReviewProps = { readonly state: SignState; readonly gate: Gate; readonly send: Props['send'] }

/** Who asks, what, with which wallet; then the button. */
function Review({ state, gate, send }: ReviewProps) {
  const { sign, address } = useText()
  const noteId = useId()
  const card = useCard()
  useEffect(() => {
    const element = card.element()
    if (!element) return
    return watchVisibility(element, (reading) => send({ type: 'visibility', reading }))
  }, [card, send])
  return (
    <Stack>
      <Heading>
        <Title>{inOwnWords(state.title, en.sign.title, sign.title)}</Title>
        <Asker state={state} />
        <Lead>{inOwnWords(state.description, en.sign.description, sign.description)}</Lead>
      </Heading>
      <MessageBox message={state.message} />
      <Facts>
        <Fact term={sign.wallet}>
          <Address address={state.address} copyLabel={address.copy} copiedLabel={address.copied} />
        </Fact>
      </Facts>
      {gate === 'hidden' && (
        <Banner kind="warning" id={noteId}>
          {sign.covered}
        </Banner>
      )}
      {gate === 'disarmed' && (
        <span className={base.unseen} id={noteId}>
          {sign.arming}
        </span>
      )}
      <Button
        disabled={gate !== 'armed'}
        busy={state.status === 'signing' && sign.signing}
        describedBy={gate === 'armed' ? undefined : noteId}
        onPress={(event) => send({ type: 'approve', trusted: event.isTrusted })}
      >
        {inOwnWords(state.buttonText, en.sign.button, sign.button)}
      </Button>
    </Stack>
  )
}

/** The name is what the app says of itself; the origin is what the browser vouches for. */
function Asker({ state }: { readonly state: SignState }) {
  const { logoUrl } = useBranding()
  return (
    <p className={styles.asker}>
      <Logo name={state.appName} url={state.iconUrl ?? logoUrl} size="small" />
      <bdi className={styles.name}>{state.appName}</bdi>
      {state.origin !== null && (
        <bdi className={styles.origin} dir="ltr">
          {state.origin.replace(/^https:\/\//, '')}
        </bdi>
      )}
    </p>
  )
}
