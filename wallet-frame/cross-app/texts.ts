/** What the page says, by language. */
import type { CrossAppScope, MfaMethodType } from '@latchkey/protocol'
import { type ConfirmTexts, languages as confirmLanguages } from '../confirm/texts.ts'
import { type GateTexts, gateTexts } from '../pages/gated-button.ts'
import type { InLanguages } from '../pages/languages.ts'
import type { CloudStep, FactorProblem, PageState, Problem, SecretProblem } from './state.ts'

type Said = { readonly title: string; readonly detail: string }
type Silent = Extract<
  PageState['status'],
  | 'opening'
  | 'to-login'
  | 'making'
  | 'bringing'
  | 'working'
  | 'prompt'
  | 'deciding'
  | 'signed'
  | 'sent'
  | 'rejected'
>

export type CrossAppTexts = {
  readonly confirm: ConfirmTexts
  readonly gate: GateTexts
  readonly plain: { readonly [status in Silent]: Said }
  readonly problems: { readonly [problem in Problem]: Said }
  readonly unreachable: Said
  readonly retry: string
  readonly cancel: string
  readonly changeAccount: string
  readonly secretProblems: { readonly [problem in SecretProblem]: string }
  readonly password: Said & {
    readonly label: string
    readonly go: string
    readonly show: string
    readonly hide: string
  }
  readonly passkey: Said & { readonly go: string }
  readonly cloud: (cloud: string) => Said & { readonly go: string }
  readonly cloudSteps: { readonly [step in Exclude<CloudStep, 'asking'>]: (cloud: string) => string }
  readonly factor: {
    readonly title: string
    readonly detail: { readonly [method in MfaMethodType]: string }
    readonly choose: { readonly [method in MfaMethodType]: string }
    readonly sent: (to: string) => string
    readonly label: string
    readonly send: string
    readonly again: string
    readonly go: string
    readonly usePasskey: string
    readonly problems: { readonly [problem in FactorProblem]: string }
  }
  readonly consent: {
    readonly title: string
    readonly verified: string
    readonly may: string
    readonly scopes: { readonly [scope in Exclude<CrossAppScope, 'openid' | 'wallet.send'>]: string }
    readonly send: (usd: string) => string
    /** The note that signatures and transactions are each confirmed. */
    readonly each: string
    readonly daily: string
    readonly dailyWrong: string
    readonly wallet: string
    readonly account: string
    readonly noAccount: string
    readonly asks: string
    readonly allow: string
    readonly readOnly: string
    readonly deny: string
  }
  readonly goingOn: (app: string) => Said & { readonly again: string }
  readonly reject: string
}

const english: CrossAppTexts = {
  confirm: confirmLanguages.en,
  gate: gateTexts.en,
  plain: {
    opening: { title: 'One moment', detail: 'This page belongs to your wallet.' },
    'to-login': { title: 'Log in', detail: 'You log in first, and come back here.' },
    making: { title: 'Making your wallet', detail: 'This takes a moment.' },
    bringing: { title: 'Bringing your wallet to this device', detail: 'This takes a moment.' },
    working: { title: 'One moment', detail: 'Keep this page open.' },
    prompt: { title: 'Waiting for your passkey', detail: 'Follow what your device asks.' },
    deciding: { title: 'One moment', detail: 'Keep this page open.' },
    signed: { title: 'Signed', detail: 'You can close this page.' },
    sent: { title: 'Transaction sent', detail: 'You can close this page.' },
    rejected: { title: 'Rejected', detail: 'Nothing was signed. You can close this page.' },
  },
  problems: {
    nothing: {
      title: 'There is nothing to do here',
      detail: 'This page is opened by an app that asks for your wallet. Go back to it and begin there.',
    },
    unknown: {
      title: 'There is no such request',
      detail:
        'It is over, or it is of another account. Go back to the app and ask again, or use another account.',
    },
    decided: {
      title: 'This request was decided already',
      detail: 'It can be answered once, on one page. Go back to the app, and ask again if you need to.',
    },
    timeout: { title: 'Request timeout', detail: 'Nothing was signed. Go back to the app and ask again.' },
    changed: {
      title: 'This request was blocked',
      detail: 'What was asked for is not what can be shown here. Nothing was signed.',
    },
    unreadable: {
      title: 'This request was blocked',
      detail: 'It cannot be shown here, so it cannot be signed.',
    },
    'sign-in-elsewhere': {
      title: 'This request was blocked',
      detail: 'The message logs you in at another site than that of the app that asks. Nothing was signed.',
    },
    'other-login': {
      title: 'This login was not begun here',
      detail:
        'Somebody may want you to act in an account that is not yours, so it was not used. Log in from this page.',
    },
    'no-storage': {
      title: 'This browser keeps nothing for this page',
      detail: 'Allow this site to store data, and open the page again from the app.',
    },
    'too-many': { title: 'Too many tries', detail: 'Please wait a few minutes, and try again.' },
    'factor-elsewhere': {
      title: 'You cannot be verified here',
      detail:
        'Your passkey verifies you in the app alone. Add an authenticator app or a phone number there, and ask again.',
    },
    'outcome-unknown': {
      title: 'It is not known whether this was sent',
      detail: 'The network did not say. Look at your wallet before you send it again.',
    },
    'not-sent': { title: 'The transaction was not sent', detail: 'The network refused it.' },
    failed: { title: 'Something went wrong', detail: 'Nothing was signed or allowed.' },
  },
  unreachable: { title: 'This page could not go on', detail: 'The server or the network did not answer.' },
  retry: 'Try again',
  cancel: 'Cancel',
  changeAccount: 'Use another account',
  secretProblems: {
    wrong: 'This does not open your wallet. Try again.',
    'not-given': 'It was not given, or took too long. Try again.',
    unable: 'This device cannot open a wallet with its passkey. Try again with another device.',
    'too-many': 'Too many tries. Please wait a few minutes.',
    failed: 'An error has occurred, please try again.',
  },
  password: {
    title: 'Enter your recovery password',
    detail: 'This page does not have your wallet yet. The password that you secured it with brings it here.',
    label: 'Recovery password',
    go: 'Bring my wallet',
    show: 'Show',
    hide: 'Hide',
  },
  passkey: {
    title: 'Recover with your passkey',
    detail: 'This page does not have your wallet yet. The passkey that you secured it with brings it here.',
    go: 'Use passkey',
  },
  cloud: (cloud) => ({
    title: `Recover with ${cloud}`,
    detail: `This page does not have your wallet yet. The key in your ${cloud} brings it here.`,
    go: `Continue with ${cloud}`,
  }),
  cloudSteps: {
    blocked: (cloud) => `Your browser did not open the window of ${cloud}. Allow it, and try again.`,
    open: (cloud) => `Sign in to ${cloud} in the window that opened.`,
    closed: (cloud) => `The window of ${cloud} was closed.`,
  },
  factor: {
    title: 'Verify that it is you',
    detail: {
      totp: 'Enter the code of your authenticator app.',
      sms: 'We send a code to your phone.',
      passkey: 'Use the passkey that verifies you.',
    },
    choose: {
      totp: 'Use your authenticator app',
      sms: 'Use a code by SMS',
      passkey: 'Use a passkey',
    },
    sent: (to) => `We sent it to ${to}.`,
    label: 'Code',
    send: 'Send code',
    again: 'Send another code',
    go: 'Verify',
    usePasskey: 'Use passkey',
    problems: {
      wrong: 'This code is wrong, or no longer valid.',
      'too-many': 'Too many tries. Please wait a few minutes.',
      'not-given': 'Your passkey was not given, or is not on this device.',
      'not-sent': 'The code could not be sent. Try again.',
    },
  },
  consent: {
    title: 'Let this app use your wallet?',
    verified: 'Name and address as registered here.',
    may: 'It will be able to',
    scopes: {
      profile: 'see your name and e-mail address',
      'wallet.read': 'see your wallet’s address',
      'wallet.sign': 'ask you to sign messages',
    },
    send: (usd) => `ask you to send transactions, up to ${usd} a day`,
    each: 'You confirm each one on this page.',
    daily: 'At most a day, in dollars',
    dailyWrong: 'Enter a whole number of dollars, up to 1,000,000.',
    wallet: 'Wallet',
    account: 'Your account',
    noAccount: 'An account without a name',
    asks: 'You can end this at any time, under “Connected apps” in your account.',
    allow: 'Allow',
    readOnly: 'Allow reading only',
    deny: 'Deny',
  },
  goingOn: (app) => ({
    title: 'You go back to the app',
    detail: `If ${app} does not appear, continue by the button.`,
    again: 'Continue',
  }),
  reject: 'Reject',
}

const arabic: CrossAppTexts = {
  confirm: confirmLanguages.ar,
  gate: gateTexts.ar,
  plain: {
    opening: { title: 'لحظة من فضلك', detail: 'هذه الصفحة تخص محفظتك.' },
    'to-login': { title: 'تسجيل الدخول', detail: 'سجّل الدخول أولًا ثم تعود إلى هنا.' },
    making: { title: 'جارٍ إنشاء محفظتك', detail: 'يستغرق هذا لحظة.' },
    bringing: { title: 'جارٍ جلب محفظتك إلى هذا الجهاز', detail: 'يستغرق هذا لحظة.' },
    working: { title: 'لحظة من فضلك', detail: 'أبقِ هذه الصفحة مفتوحة.' },
    prompt: { title: 'في انتظار مفتاح المرور', detail: 'اتبع ما يطلبه جهازك.' },
    deciding: { title: 'لحظة من فضلك', detail: 'أبقِ هذه الصفحة مفتوحة.' },
    signed: { title: 'تم التوقيع', detail: 'يمكنك إغلاق هذه الصفحة.' },
    sent: { title: 'تم إرسال المعاملة', detail: 'يمكنك إغلاق هذه الصفحة.' },
    rejected: { title: 'تم الرفض', detail: 'لم يُوقَّع أي شيء. يمكنك إغلاق هذه الصفحة.' },
  },
  problems: {
    nothing: {
      title: 'لا يوجد ما يُفعل هنا',
      detail: 'يفتح هذه الصفحة تطبيق يطلب محفظتك. عُد إليه وابدأ من هناك.',
    },
    unknown: {
      title: 'لا يوجد طلب كهذا',
      detail: 'انتهى الطلب أو أنه يخص حسابًا آخر. عُد إلى التطبيق واطلب من جديد، أو استخدم حسابًا آخر.',
    },
    decided: {
      title: 'سبق البتّ في هذا الطلب',
      detail: 'يُجاب الطلب مرة واحدة في صفحة واحدة. عُد إلى التطبيق واطلب من جديد إن احتجت.',
    },
    timeout: { title: 'انتهت مهلة الطلب', detail: 'لم يُوقَّع أي شيء. عُد إلى التطبيق واطلب من جديد.' },
    changed: {
      title: 'تم حظر هذا الطلب',
      detail: 'ما طُلب ليس ما يمكن عرضه هنا. لم يُوقَّع أي شيء.',
    },
    unreadable: { title: 'تم حظر هذا الطلب', detail: 'لا يمكن عرضه هنا، لذا لا يمكن توقيعه.' },
    'sign-in-elsewhere': {
      title: 'تم حظر هذا الطلب',
      detail: 'تسجّل هذه الرسالة دخولك في موقع غير موقع التطبيق الذي يطلب. لم يُوقَّع أي شيء.',
    },
    'other-login': {
      title: 'لم يبدأ تسجيل الدخول هذا من هنا',
      detail: 'قد يريد أحدهم أن تتصرف في حساب ليس لك، لذا لم يُستخدم. سجّل الدخول من هذه الصفحة.',
    },
    'no-storage': {
      title: 'لا يحفظ هذا المتصفح شيئًا لهذه الصفحة',
      detail: 'اسمح لهذا الموقع بتخزين البيانات ثم افتح الصفحة من التطبيق مرة أخرى.',
    },
    'too-many': { title: 'محاولات كثيرة جدًا', detail: 'يُرجى الانتظار بضع دقائق ثم المحاولة مرة أخرى.' },
    'factor-elsewhere': {
      title: 'لا يمكن التحقق منك هنا',
      detail: 'يتحقق مفتاح مرورك منك في التطبيق فقط. أضف هناك تطبيق مصادقة أو رقم هاتف ثم اطلب من جديد.',
    },
    'outcome-unknown': {
      title: 'لا يُعرف إن كانت المعاملة قد أُرسلت',
      detail: 'لم تجب الشبكة. راجع محفظتك قبل أن ترسلها مرة أخرى.',
    },
    'not-sent': { title: 'لم تُرسل المعاملة', detail: 'رفضتها الشبكة.' },
    failed: { title: 'حدث خطأ ما', detail: 'لم يُوقَّع أي شيء ولم يُسمح بأي شيء.' },
  },
  unreachable: { title: 'تعذّر على هذه الصفحة المتابعة', detail: 'لم يرد الخادم أو الشبكة.' },
  retry: 'حاول مرة أخرى',
  cancel: 'إلغاء',
  changeAccount: 'استخدام حساب آخر',
  secretProblems: {
    wrong: 'هذا لا يفتح محفظتك. حاول مرة أخرى.',
    'not-given': 'لم يُقدَّم أو استغرق وقتًا طويلًا. حاول مرة أخرى.',
    unable: 'لا يستطيع هذا الجهاز فتح محفظة بمفتاح المرور. حاول بجهاز آخر.',
    'too-many': 'محاولات كثيرة جدًا. يُرجى الانتظار بضع دقائق.',
    failed: 'حدث خطأ، حاول مرة أخرى.',
  },
  password: {
    title: 'أدخل كلمة مرور الاسترداد',
    detail: 'ليست محفظتك في هذه الصفحة بعد. تجلبها كلمة المرور التي أمّنتها بها.',
    label: 'كلمة مرور الاسترداد',
    go: 'اجلب محفظتي',
    show: 'إظهار',
    hide: 'إخفاء',
  },
  passkey: {
    title: 'الاسترداد بمفتاح المرور',
    detail: 'ليست محفظتك في هذه الصفحة بعد. يجلبها مفتاح المرور الذي أمّنتها به.',
    go: 'استخدام مفتاح المرور',
  },
  cloud: (cloud) => ({
    title: `الاسترداد عبر ${cloud}`,
    detail: `ليست محفظتك في هذه الصفحة بعد. يجلبها المفتاح في ${cloud} الخاص بك.`,
    go: `المتابعة عبر ${cloud}`,
  }),
  cloudSteps: {
    blocked: (cloud) => `لم يفتح متصفحك نافذة ${cloud}. اسمح بها وحاول مرة أخرى.`,
    open: (cloud) => `سجّل الدخول إلى ${cloud} في النافذة التي فُتحت.`,
    closed: (cloud) => `أُغلقت نافذة ${cloud}.`,
  },
  factor: {
    title: 'تأكيد هويتك',
    detail: {
      totp: 'أدخل رمز تطبيق المصادقة.',
      sms: 'نرسل رمزًا إلى هاتفك.',
      passkey: 'استخدم مفتاح المرور الذي يتحقق منك.',
    },
    choose: {
      totp: 'استخدام تطبيق المصادقة',
      sms: 'استخدام رمز برسالة نصية',
      passkey: 'استخدام مفتاح مرور',
    },
    sent: (to) => `أرسلناه إلى ${to}.`,
    label: 'الرمز',
    send: 'أرسل الرمز',
    again: 'أرسل رمزًا آخر',
    go: 'تحقق',
    usePasskey: 'استخدام مفتاح المرور',
    problems: {
      wrong: 'هذا الرمز خاطئ أو لم يعد صالحًا.',
      'too-many': 'محاولات كثيرة جدًا. يُرجى الانتظار بضع دقائق.',
      'not-given': 'لم يُقدَّم مفتاح المرور أو أنه ليس على هذا الجهاز.',
      'not-sent': 'تعذّر إرسال الرمز. حاول مرة أخرى.',
    },
  },
  consent: {
    title: 'هل تسمح لهذا التطبيق باستخدام محفظتك؟',
    verified: 'الاسم والعنوان كما هما مسجلان لدينا.',
    may: 'سيكون بإمكانه',
    scopes: {
      profile: 'رؤية اسمك وعنوان بريدك الإلكتروني',
      'wallet.read': 'رؤية عنوان محفظتك',
      'wallet.sign': 'أن يطلب منك توقيع رسائل',
    },
    send: (usd) => `أن يطلب منك إرسال معاملات بما لا يزيد عن ${usd} في اليوم`,
    each: 'تؤكد كل واحدة منها في هذه الصفحة.',
    daily: 'الحد الأقصى في اليوم بالدولار',
    dailyWrong: 'أدخل عددًا صحيحًا من الدولارات لا يزيد عن 1,000,000.',
    wallet: 'المحفظة',
    account: 'حسابك',
    noAccount: 'حساب بلا اسم',
    asks: 'يمكنك إنهاء ذلك في أي وقت من «التطبيقات المتصلة» في حسابك.',
    allow: 'السماح',
    readOnly: 'السماح بالقراءة فقط',
    deny: 'رفض',
  },
  goingOn: (app) => ({
    title: 'تعود الآن إلى التطبيق',
    detail: `إن لم يظهر ${app} فتابع بالزر.`,
    again: 'متابعة',
  }),
  reject: 'رفض',
}

export const languages: InLanguages<CrossAppTexts> = { en: english, ar: arabic }
