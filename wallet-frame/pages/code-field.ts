import { emailLimits } from '@latchkey/protocol'
import { make } from './elements.ts'

/** The field for a code from a mail, an SMS or an authenticator app. */
export const codeField = (): HTMLInputElement =>
  make('input', {
    id: 'code',
    name: 'code',
    className: 'code',
    inputMode: 'numeric',
    autocomplete: 'one-time-code',
    maxLength: emailLimits.codeLength,
    required: true,
    pattern: `[0-9]{${emailLimits.codeLength}}`,
    dir: 'ltr',
  })
