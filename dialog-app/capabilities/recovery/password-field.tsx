import { useState } from 'react'
import { useTexts } from '../../i18n/context.tsx'
import { InlineButton } from '../../ui/inline-button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { texts } from './texts.ts'

type PasswordFieldProps = {
  readonly label: string
  readonly autoComplete: 'new-password' | 'current-password'
  readonly value: string
  readonly onChange: (password: string) => void
  readonly onBlur?: () => void
  readonly problem: string | undefined
  readonly readOnly?: boolean
  /** It was made here, and nobody typed it. */
  readonly isShownFirst?: boolean
}

/** Hidden, unless its user wants to see it. */
export function PasswordField({ isShownFirst = false, ...field }: PasswordFieldProps) {
  const { password } = useTexts(texts)
  const [isShown, setShown] = useState(isShownFirst)
  return (
    <TextField
      {...field}
      dir="ltr"
      type={isShown ? 'text' : 'password'}
      end={
        <InlineButton onPress={() => setShown(!isShown)}>
          {isShown ? password.hide : password.show}
        </InlineButton>
      }
    />
  )
}
