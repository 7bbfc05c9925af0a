import { formatText } from '@latchkey/protocol/texts'
import { useTexts } from '../../../i18n/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { Failure } from '../../../ui/feedback/failure.tsx'
import { Success } from '../../../ui/feedback/success.tsx'
import { Waiting } from '../../../ui/feedback/waiting.tsx'
import { Heading, Stack } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import { useWindowLogin, type WaitingViewProps } from '../../../window-login/use-window-login.ts'
import type { WaitingProps } from '../../../window-login/window-login.ts'
import type { CrossAppGrant } from '../auth.ts'
import type { AuthFailure } from '../failures.ts'
import type { ProviderApp } from '../provider/provider-app.ts'
import { texts } from '../texts.arb'
import { ProviderMark } from './provider-mark.tsx'
import { WindowWait } from './window-wait.tsx'

export const AuthScreen = ({ provider, login }: WaitingProps<ProviderApp, CrossAppGrant, AuthFailure>) => (
  <AuthView app={provider} {...useWindowLogin(login)} />
)

export type AuthViewProps = WaitingViewProps<AuthFailure> & { app: ProviderApp }

export function AuthView({ app, state, onOpen, onLeave }: AuthViewProps) {
  const { toOpen, continueWith, confirmed, success, failed, failures, close } = useTexts(texts)
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
            <Button onPress={onOpen}>{continueWith({ app: app.name })}</Button>
          </Stack>
        )
      }
      return (
        <WindowWait app={app} window={window} {...(digits !== undefined && { digits })} onOpen={onOpen} />
      )
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
          onPress={onLeave}
        />
      )
    default:
      return state satisfies never
  }
}
