import { useState } from 'react'
import { useBranding } from '../face/branding.ts'
import { useText } from '../i18n/context.tsx'
import { EmailField } from '../ui/email-field.tsx'
import { Group, OptionRow } from '../ui/group.tsx'
import { Logo } from '../ui/logo.tsx'
import { Lead, Title } from '../ui/title.tsx'
import styles from './LANDING.module.css'
import type { ScreenProps } from './screen.ts'
import { Stack } from './stack.tsx'

export function LANDING({ state, send }: ScreenProps<'LANDING'>) {
  const { landing } = useText()
  const { name, logoUrl, landingHeader, loginMessage, showsDirectInputs } = useBranding()
  const [emailOpened, setEmailOpened] = useState(false)
  const showsEmailField = showsDirectInputs || emailOpened || state.email !== ''
  return (
    <Stack>
      <div className={styles.brand}>
        <Logo name={name} url={logoUrl} />
        <Title>{landingHeader ?? landing.title}</Title>
        {loginMessage !== undefined && <Lead>{loginMessage}</Lead>}
      </div>
      {state.methods.includes('email') &&
        (showsEmailField ? (
          <EmailField
            label={landing.emailLabel}
            placeholder={landing.emailPlaceholder}
            submitLabel={landing.submit}
            busyLabel={landing.sending}
            initial={state.email}
            busy={state.status === 'sending'}
            focused={emailOpened}
            onSubmit={(email) => send({ type: 'submit-email', email })}
          />
        ) : (
          <Group>
            <OptionRow
              icon="mail"
              label={landing.continueWithEmail}
              end={{ kind: 'more' }}
              onPress={() => setEmailOpened(true)}
            />
          </Group>
        ))}
    </Stack>
  )
}
