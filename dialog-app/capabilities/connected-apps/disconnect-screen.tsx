import { useMutation } from '@tanstack/react-query'
import type { ScreenProps } from '../../app/screen.ts'
import { useHeader } from '../../app/screen-options.ts'
import { QueryProvider } from '../../app/server-data/query-provider.tsx'
import { useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { Banner } from '../../ui/lazy/banner.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { texts } from './texts.arb'

type Props = ScreenProps<'disconnected', { name: string; disconnect: () => Promise<void> }>

/** Asks whether the app is to be disconnected, and disconnects it. */
export const DisconnectScreen = (props: Props) => (
  <QueryProvider>
    <Disconnect {...props} />
  </QueryProvider>
)

function Disconnect({ name, disconnect, screen }: Props) {
  const { mutate, isPending, isError } = useMutation({
    mutationFn: disconnect,
    onSuccess: () => screen.resolve('disconnected'),
  })
  useHeader({ back: !isPending, close: !isPending })
  return (
    <DisconnectView
      name={name}
      isPending={isPending}
      hasFailed={isError}
      onDisconnect={() => mutate()}
      onKeep={screen.leave}
    />
  )
}

export type DisconnectViewProps = {
  name: string
  isPending: boolean
  hasFailed: boolean
  onDisconnect: () => void
  onKeep: () => void
}

export function DisconnectView({ name, isPending, hasFailed, onDisconnect, onKeep }: DisconnectViewProps) {
  const { ask, disconnect } = useTexts(texts)
  return (
    <Stack>
      <Heading>
        <Title>{ask.title({ app: name })}</Title>
        <Lead>{ask.detail}</Lead>
      </Heading>
      {hasFailed && <Banner kind="danger">{ask.failed}</Banner>}
      <Stack>
        <Button kind="danger" busy={isPending && ask.underWay} onPress={onDisconnect}>
          {disconnect}
        </Button>
        {!isPending && (
          <Button kind="quiet" onPress={onKeep}>
            {ask.keep}
          </Button>
        )}
      </Stack>
    </Stack>
  )
}
