import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { texts } from './texts.arb'

export type Ending = 'asked' | 'under way' | 'failed'
export type DisconnectState = { name: string; ending: Ending }
export type DisconnectEvents = { end: readonly []; keep: readonly [] }

export function DisconnectScreen({
  state: { name, ending },
  send,
}: PartProps<DisconnectState, DisconnectEvents>) {
  const { ask, disconnect } = useTexts(texts)
  return (
    <Stack>
      <Heading>
        <Title>{ask.title({ app: name })}</Title>
        <Lead>{ask.detail}</Lead>
      </Heading>
      {ending === 'failed' && <Banner kind="danger">{ask.failed}</Banner>}
      <Stack>
        <Button kind="danger" busy={ending === 'under way' && ask.underWay} onPress={() => send('end')}>
          {disconnect}
        </Button>
        {ending !== 'under way' && (
          <Button kind="quiet" onPress={() => send('keep')}>
            {ask.keep}
          </Button>
        )}
      </Stack>
    </Stack>
  )
}
