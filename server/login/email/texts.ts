/** What the mail with a code says. Of `name`: the app that the code is for. */
import { emailLimits } from '@latchkey/protocol'
import { html } from 'hono/html'
import type { InLanguages } from '../../kernel/languages.ts'

type Html = ReturnType<typeof html>

type CodeTexts = {
  readonly subject: (code: string, name: string) => string
  readonly before: (name: string) => string
  readonly heading: (name: Html) => Html
  readonly validity: string
  readonly ifNotYou: (name: string) => string
}

const minutes = emailLimits.codeSeconds / 60
const minutesInArabic = new Intl.NumberFormat('ar-u-nu-latn', {
  style: 'unit',
  unit: 'minute',
  unitDisplay: 'long',
}).format(minutes)

export const texts: InLanguages<CodeTexts> = {
  en: {
    subject: (code, name) => `${code} is your ${name} code`,
    before: (name) => `Your ${name} code is:`,
    heading: (name) => html`Your ${name} code`,
    validity: `This code is valid for ${minutes} minutes and can be used once.`,
    ifNotYou: (name) =>
      `If you did not ask for it, you can ignore this e-mail: nobody can log in without the code. Never give it to anybody, not even to somebody who says they are from ${name}.`,
  },
  ar: {
    subject: (code, name) => `${code} هو رمزك في ${name}`,
    before: (name) => `رمزك في ${name} هو:`,
    heading: (name) => html`رمزك في ${name}`,
    validity: `هذا الرمز صالح لمدة ${minutesInArabic} ويُستخدم مرة واحدة.`,
    ifNotYou: (name) =>
      `إذا لم تطلبه، فيمكنك تجاهل هذه الرسالة: لا أحد يستطيع تسجيل الدخول من دون الرمز. لا تعطه لأحد أبدًا، ولا حتى لمن يقول إنه من ${name}.`,
  },
}
