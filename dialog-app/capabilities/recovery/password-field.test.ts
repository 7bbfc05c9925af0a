import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { PasswordField } from './password-field.tsx'
import { WizardScreen } from './wizard-screen.tsx'

const inputsOf = (html: string) => html.match(/<input[^>]*>/g) ?? []

test.each([
  [
    'entered',
    createElement(PasswordField, {
      label: 'Password',
      autoComplete: 'new-password',
      value: 'x',
      onChange() {},
      problem: undefined,
    }),
  ],
  [
    'saved',
    createElement(WizardScreen, {
      state: { appName: 'Fieldnotes', isUpdate: false, byUser: true, step: { at: 'saving', password: 'x' } },
      send() {},
    } as never),
  ],
] as const)('a password that is %s is shown from left to right in every language', (_how, field) => {
  const inputs = inputsOf(renderToStaticMarkup(field))
  expect(inputs).toHaveLength(1)
  expect(inputs[0]).toContain('dir="ltr"')
})
