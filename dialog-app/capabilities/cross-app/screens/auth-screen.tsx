import { formatText } from '@latchkey/protocol/texts'
import type { PartProps } from '../../../flow/screen.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { Failure } from '../../../ui/feedback/failure.tsx'
import { Success } from '../../../ui/feedback/success.tsx'
import { Waiting } from '../../../ui/feedback/waiting.tsx'
import { Heading, Stack } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import type { WaitingEvents, WaitingState } from '../../../window-login/waiting-screen.tsx'
import type { AuthFailure } from '../failures.ts'
import type { ProviderApp } from '../provider/provider-app.ts'
import { texts } from '../texts.arb'
import { ProviderMark } from './provider-mark.tsx'
import { WindowWait } from './window-wait.tsx'

export type AuthState = WaitingState<ProviderApp, AuthFailure>

export function AuthScreen({ state, send }: PartProps<AuthState, WaitingEvents>) {
  const { toOpen, continueWith, confirmed, success, failed, failures, close } = useTexts(texts)
  const { provider: app } = state
  const open = () => send('open')
  switch (state.status) {
    case 'verifying': {
      const { window, digits } = state
      if (window === 'to open' || window === 'leaving') {
        return (
          <Stack>
            <Heading>
              <Title>{toOpen.title}</Title>
              <Lead>{toOpen.detail({ app: app.name })}</Lead>
            </Heading>
            <Button onPress={open}>{continueWith({ app: app.name })}</Button>
          </Stack>
        )
      }
      return <WindowWait app={app} window={window} {...(digits !== undefined && { digits })} onOpen={open} />
    }
    case 'confirmed':
      return (
        <Waiting title={confirmed.title({ app: app.name })} detail={confirmed.detail}>
          <ProviderMark app={app} size={32} />
        </Waiting>
      )
    case 'success':
      return <Success title={success.title} detail={success.detail({ app: app.name })} />
    case 'failed':
      return (
        <Failure
          title={failed.title}
          detail={formatText(failures[state.text], { app: app.name })}
          button={close}
          isOwnChoice={state.text === 'denied'}
          onPress={() => send('leave')}
        />
      )
    default:
      return state satisfies never
  }
}
