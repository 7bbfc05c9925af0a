import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { texts as shellTexts } from '../../i18n/shell-texts.arb'
import { Button } from '../../ui/button.tsx'
import { Group } from '../../ui/group.tsx'
import { OptionLink } from '../../ui/rows/option-link.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { texts } from './texts.arb'

export type ConsentState = {
  status: 'asking' | 'accepting'
  termsUrl: string | undefined
  privacyUrl: string | undefined
}
export type ConsentEvents = { accept: readonly []; decline: readonly [] }

export function ConsentScreen({ state, send }: PartProps<ConsentState, ConsentEvents>) {
  const { consent } = useTexts(texts)
  const { opensInNewTab } = useTexts(shellTexts)
  const { status, termsUrl, privacyUrl } = state
  return (
    <Stack>
      <Heading>
        <Title>{consent.title}</Title>
        <Lead>{consent.detail}</Lead>
      </Heading>
      {(termsUrl ?? privacyUrl) !== undefined && (
        <Group>
          {termsUrl !== undefined && (
            <OptionLink href={termsUrl} label={consent.terms} title={opensInNewTab} />
          )}
          {privacyUrl !== undefined && (
            <OptionLink href={privacyUrl} label={consent.privacy} title={opensInNewTab} />
          )}
        </Group>
      )}
      <Stack>
        <Button busy={status === 'accepting' && consent.accepting} onPress={() => send('accept')}>
          {consent.accept}
        </Button>
        <Button kind="quiet" onPress={() => send('decline')}>
          {consent.decline}
        </Button>
      </Stack>
    </Stack>
  )
}
