import { emailLimits } from '@latchkey/protocol'
import { make } from './elements.ts'

/** For a code that came by mail, by SMS or from an authenticator app. */
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
