import { useTexts } from '../../../i18n/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { Waiting } from '../../../ui/feedback/waiting.tsx'
import { Stack } from '../../../ui/stack.tsx'
import { WindowDigits } from '../../../window-login/window-digits.tsx'
import type { WindowState } from '../../../window-login/window-tries.ts'
import type { ProviderApp } from '../provider/provider-app.ts'
import { texts } from '../texts.arb'
import { ProviderMark } from './provider-mark.tsx'

type WindowWaitProps = WindowState & { app: ProviderApp; onOpen: () => void }

/** Waits for the window. Offers to open it again if it seems closed or its state is unknown. */
export function WindowWait({ app, window, digits, onOpen }: WindowWaitProps) {
  const { waiting, openAgain, continueWith } = useTexts(texts)
  return (
    <Stack>
      <Waiting title={waiting.title({ app: app.name })} detail={waiting[window]({ app: app.name })}>
        <ProviderMark app={app} size={32} />
      </Waiting>
      {digits !== undefined && <WindowDigits>{digits}</WindowDigits>}
      {window !== 'open' && (
        <Button onPress={onOpen}>{window === 'closed' ? openAgain : continueWith({ app: app.name })}</Button>
      )}
    </Stack>
  )
}
