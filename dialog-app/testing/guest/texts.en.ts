import type { Widen } from '../../i18n/catalogue.ts'

export const english = {
  entry: 'Knock',
  knock: { title: 'Who is there?', word: 'Word', send: 'Say it' },
  wait: { title: 'Opening the door', detail: 'Somebody is on the way.' },
  verify: { title: 'Is it you?', detail: 'Your wallet asks for a second factor.', confirm: 'It is me' },
} as const
export type GuestTexts = Widen<typeof english>
