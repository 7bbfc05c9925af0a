import { userRoutes } from '@latchkey/protocol/api'
import { useState } from 'react'
import { useDialog } from '../../app/context.ts'
import type { ScreenProps } from '../../app/screen.ts'
import { useLeaveWords } from '../../app/screen-options.ts'
import type { StepOutcome } from '../../contract/login.ts'
import { privacyUrl, termsUrl } from '../../host/settings.ts'
import { useTexts } from '../../i18n/context.tsx'
import { texts as shellTexts } from '../../i18n/shell-texts.arb'
import { Button } from '../../ui/button.tsx'
import { Group } from '../../ui/group.tsx'
import { OptionLink } from '../../ui/rows/option-link.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { texts } from './texts.arb'

type ConsentScreenProps = ScreenProps<
  StepOutcome,
  {
    /** Opens the error above this screen. Returns whether the session is over. */
    showError: (error: unknown) => boolean
  }
>

export function ConsentScreen({ showError, screen }: ConsentScreenProps) {
  const { services, handle } = useDialog()
  const { api, session, settings } = services
  const { signal } = handle
  const [isAccepting, setAccepting] = useState(false)
  useLeaveWords(useTexts(texts).leave)

  async function accept() {
    setAccepting(true)
    try {
      session.replaceUser(await api.call(userRoutes.acceptTerms, {}, { signal }))
      screen.resolve({ type: 'done' })
    } catch (error) {
      if (signal.aborted) return
      if (showError(error)) screen.resolve({ type: 'undone' })
      setAccepting(false)
    }
  }

  return (
    <ConsentView
      isAccepting={isAccepting}
      termsUrl={termsUrl(settings())}
      privacyUrl={privacyUrl(settings())}
      onAccept={() => void accept()}
      onDecline={() => screen.resolve({ type: 'declined' })}
    />
  )
}

export type ConsentViewProps = {
  isAccepting: boolean
  termsUrl: string | undefined
  privacyUrl: string | undefined
  onAccept: () => void
  onDecline: () => void
}

export function ConsentView({ isAccepting, termsUrl, privacyUrl, onAccept, onDecline }: ConsentViewProps) {
  const { consent } = useTexts(texts)
  const { opensInNewTab } = useTexts(shellTexts)
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
        <Button busy={isAccepting && consent.accepting} onPress={onAccept}>
          {consent.accept}
        </Button>
        <Button kind="quiet" onPress={onDecline}>
          {consent.decline}
        </Button>
      </Stack>
    </Stack>
  )
}
