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

/** The window is waited for; one that reads as closed, or of which nothing can be read, can be opened again. */
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
