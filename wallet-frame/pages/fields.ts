/** Fields for codes and passwords. */
import { emailLimits } from '@latchkey/protocol'
import { button, make } from './elements.ts'

/** Creates the field for a code from a mail, an SMS or an authenticator app. */
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

export type PasswordField = {
  input: HTMLInputElement
  /** The elements of the field, with its label and its error. */
  parts: readonly HTMLElement[]
  tell: (problem: string | undefined) => void
}

/** Creates a password field that is masked unless the user reveals it. */
export function passwordField(
  label: string,
  { show, hide }: { show: string; hide: string },
  autocomplete: 'new-password' | 'current-password',
  isShown = false,
): PasswordField {
  const input = make('input', { id: 'password', autocomplete, autocapitalize: 'none', spellcheck: false })
  input.dir = 'ltr'
  input.setAttribute('aria-describedby', 'problem')
  const problem = make('p', { id: 'problem', className: 'problem', role: 'alert' })
  const toggle = button('text', '', () => mask(input.type === 'text'))
  function mask(isHidden: boolean) {
    input.type = isHidden ? 'password' : 'text'
    toggle.textContent = isHidden ? show : hide
  }
  mask(!isShown)
  return {
    input,
    parts: [
      make('label', { htmlFor: input.id, textContent: label }),
      make('div', { className: 'field' }, input, toggle),
      problem,
    ],
    tell(what) {
      problem.textContent = what ?? ''
      input.ariaInvalid = String(what !== undefined)
    },
  }
}
