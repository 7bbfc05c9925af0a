import type { PartProps } from '../../core/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button, OwnButtonLink } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Stack } from '../../ui/stack.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { WalletFace } from '../../ui/wallet-face.tsx'
import { texts } from './texts.ts'

export type ConfirmState =
  | {
      readonly status: 'waiting'
      /** Of the page. A link is followed where a window that was asked for did not come. */
      readonly href: string
      /** Nothing is known of a window that came, where the page of the host has an opener policy. */
      readonly mayBeBlocked: boolean
    }
  | { readonly status: 'in-app' }
export type ConfirmEvents = { readonly leave: readonly [] }

export function ConfirmScreen({ state, send }: PartProps<ConfirmState, ConfirmEvents>) {
  const { waiting, inApp } = useTexts(texts)
  switch (state.status) {
    case 'waiting':
      return (
        <Stack>
          <Waiting title={waiting.title} detail={state.mayBeBlocked ? waiting.blocked : waiting.detail}>
            <WalletFace />
          </Waiting>
          <OwnButtonLink kind={state.mayBeBlocked ? 'primary' : 'quiet'} href={state.href}>
            {waiting.again}
          </OwnButtonLink>
          <Button kind="text" onPress={() => send('leave')}>
            {waiting.cancel}
          </Button>
        </Stack>
      )
    case 'in-app':
      return (
        <Failure
          title={inApp.title}
          detail={inApp.detail}
          button={inApp.leave}
          onPress={() => send('leave')}
        />
      )
    default:
      return state satisfies never
  }
}
