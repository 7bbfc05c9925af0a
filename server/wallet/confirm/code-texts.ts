/** What the mail with a code of a confirmation says. Of `name`: the app that asked. */
import { emailLimits } from '@latchkey/protocol'
import type { UserRecovery } from '@latchkey/protocol/wallet'
import { html } from 'hono/html'
import type { InLanguages } from '../../kernel/languages.ts'

type Html = ReturnType<typeof html>

type What = {
  readonly message: string
  readonly typedData: (contract: string | undefined) => string
  readonly export: string
  readonly deletion: string
  readonly recovery: { readonly [method in UserRecovery]: string }
  readonly removal: { readonly totp: string; readonly sms: string; readonly passkey: string }
  readonly creation: (network: string) => string
  readonly send: (amount: string, to: string, network: string) => string
  readonly allow: (most: string | undefined, token: string, spender: string, network: string) => string
  readonly call: (contract: string, network: string) => string
  readonly callWith: (amount: string, contract: string, network: string) => string
  readonly smallest: (amount: string) => string
}

type CodeTexts = {
  readonly subject: (code: string, name: string) => string
  readonly before: (name: string) => string
  /** Of a dapp that the user connected by a link, in the app of this name. */
  readonly beforeRelayed: (hostname: string, name: string) => string
  readonly heading: (name: Html) => Html
  readonly where: (hostname: string) => string
  readonly validity: string
  readonly ifNotYou: (name: string) => string
  readonly what: What
}

const minutes = emailLimits.codeSeconds / 60

export const texts: InLanguages<CodeTexts> = {
  en: {
    subject: (code, name) => `${code} confirms a request of ${name}`,
    before: (name) => `With this code you confirm what ${name} asked for:`,
    beforeRelayed: (hostname, name) =>
      `With this code you confirm what ${hostname} asked for. You connected it by a link in ${name}, and nobody vouches for it:`,
    heading: (name) => html`Confirm what ${name} asked for`,
    where: (hostname) => `Type it on ${hostname} only, and nowhere else.`,
    validity: `It is valid for ${minutes} minutes and can be used once.`,
    ifNotYou: (name) =>
      `If you did not ask for this, do not type the code anywhere: nothing is done without it. Never give it to anybody, not even to somebody who says they are from ${name}.`,
    what: {
      message: 'Sign a message with your wallet.',
      typedData: (contract) =>
        contract === undefined
          ? 'Sign data with your wallet, for no contract in particular.'
          : `Sign data with your wallet, for the contract ${contract}.`,
      export: 'Show the private key of your wallet. Whoever sees it can take everything in it.',
      deletion: 'Delete your account, with its wallet.',
      recovery: {
        'user-passcode': 'From now on, bring your wallet back with a new password.',
        'google-drive': 'From now on, bring your wallet back with your Google Drive.',
        icloud: 'From now on, bring your wallet back with your iCloud.',
        passkey: 'From now on, bring your wallet back with a new passkey.',
      },
      removal: {
        totp: 'Remove the verification by your authenticator app.',
        sms: 'Remove the verification by SMS.',
        passkey: 'Remove the verification by passkey.',
      },
      creation: (network) => `Create a contract on ${network}.`,
      send: (amount, to, network) => `Send ${amount} to ${to} on ${network}.`,
      allow: (most, token, spender, network) =>
        most === undefined
          ? `Allow ${spender} to take everything that you have in ${token}, on ${network}.`
          : `Allow ${spender} to take ${most} on ${network}.`,
      call: (contract, network) => `Call the contract ${contract} on ${network}.`,
      callWith: (amount, contract, network) => `Send ${amount} to the contract ${contract} on ${network}.`,
      smallest: (amount) => `${amount} of the smallest units`,
    },
  },
  ar: {
    subject: (code, name) => `${code} يؤكد طلبًا من ${name}`,
    before: (name) => `بهذا الرمز تؤكد ما طلبه ${name}:`,
    beforeRelayed: (hostname, name) =>
      `بهذا الرمز تؤكد ما طلبه ${hostname}. لقد وصلته برابط في ${name}، ولا أحد يضمنه:`,
    heading: (name) => html`تأكيد ما طلبه ${name}`,
    where: (hostname) => `اكتبه في ${hostname} فقط، ولا تكتبه في أي مكان آخر.`,
    validity: `هو صالح لمدة ${new Intl.NumberFormat('ar-u-nu-latn', { style: 'unit', unit: 'minute', unitDisplay: 'long' }).format(minutes)} ويُستخدم مرة واحدة.`,
    ifNotYou: (name) =>
      `إذا لم تطلب ذلك فلا تكتب الرمز في أي مكان: لا يُنفَّذ شيء من دونه. لا تعطه لأحد أبدًا، ولا حتى لمن يقول إنه من ${name}.`,
    what: {
      message: 'توقيع رسالة بمحفظتك.',
      typedData: (contract) =>
        contract === undefined
          ? 'توقيع بيانات بمحفظتك دون عقد محدد.'
          : `توقيع بيانات بمحفظتك للعقد ${contract}.`,
      export: 'إظهار المفتاح الخاص لمحفظتك. من يراه يستطيع أخذ كل ما فيها.',
      deletion: 'حذف حسابك مع محفظته.',
      recovery: {
        'user-passcode': 'استرداد محفظتك من الآن فصاعدًا بكلمة مرور جديدة.',
        'google-drive': 'استرداد محفظتك من الآن فصاعدًا عبر Google Drive الخاص بك.',
        icloud: 'استرداد محفظتك من الآن فصاعدًا عبر iCloud الخاص بك.',
        passkey: 'استرداد محفظتك من الآن فصاعدًا بمفتاح مرور جديد.',
      },
      removal: {
        totp: 'إزالة التحقق بتطبيق المصادقة.',
        sms: 'إزالة التحقق برسالة نصية.',
        passkey: 'إزالة التحقق بمفتاح المرور.',
      },
      creation: (network) => `إنشاء عقد على ${network}.`,
      send: (amount, to, network) => `إرسال ${amount} إلى ${to} على ${network}.`,
      allow: (most, token, spender, network) =>
        most === undefined
          ? `السماح لـ ${spender} بسحب كل ما تملكه من ${token} على ${network}.`
          : `السماح لـ ${spender} بسحب ${most} على ${network}.`,
      call: (contract, network) => `استدعاء العقد ${contract} على ${network}.`,
      callWith: (amount, contract, network) => `إرسال ${amount} إلى العقد ${contract} على ${network}.`,
      smallest: (amount) => `${amount} من أصغر الوحدات`,
    },
  },
}
