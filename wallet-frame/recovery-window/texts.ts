/** What the window says, by language. */
import { type GateTexts, gateTexts } from '../pages/gated-button.ts'
import type { InLanguages } from '../pages/languages.ts'
import type { StrengthName } from './password-rules.ts'

type Said = { readonly title: string; readonly detail: string }
/** What is said of a code of the wallet frame or the server; every other one is `failed`. */
type Problems = {
  readonly notAllowed: string
  readonly unable: string
  readonly foreign: string
  readonly changedElsewhere: string
  readonly expired: string
  readonly failed: string
}

export type WindowTexts = {
  readonly gate: GateTexts
  readonly opening: Said
  readonly working: Said
  readonly alone: Said
  readonly over: string
  readonly overDetail: string
  readonly done: {
    readonly recovered: Said
    readonly password: Said
    readonly passkey: Said
    readonly cloud: (cloud: string) => Said
  }
  readonly wallet: string
  readonly tried: (minutes: number) => string
  readonly strength: { readonly [name in StrengthName | 'label']: string }
  readonly field: { readonly show: string; readonly hide: string }
  readonly steps: (at: number, of: number) => string
  readonly back: string
  readonly creating: Said & {
    readonly updateTitle: string
    readonly label: string
    readonly generate: string
    readonly next: string
  }
  readonly saving: Said & {
    readonly label: string
    readonly copy: string
    readonly copied: string
    readonly download: string
    readonly next: string
    readonly file: {
      readonly title: (app: string) => string
      readonly password: (password: string) => string
      readonly advice: string
    }
  }
  readonly confirming: Said & { readonly label: string; readonly next: string }
  readonly finalizing: Said & { readonly understood: string; readonly set: string }
  readonly recover: Said & { readonly label: string; readonly recover: string }
  readonly passwordProblems: {
    readonly tooShort: string
    readonly tooLong: string
    readonly invalidCharacters: (characters: string) => string
    readonly different: string
    readonly wrong: string
    readonly notSet: string
  }
  readonly passkey: {
    readonly set: Said & { readonly confirm: string; readonly problems: Problems }
    readonly recover: Said & { readonly confirm: string; readonly problems: Problems }
    readonly once: string
    readonly use: string
    readonly again: string
    readonly prompt: Said
    readonly approve: Said & { readonly warning: string; readonly confirm: string }
  }
  readonly cloud: {
    readonly set: (cloud: string) => Said
    readonly recover: (cloud: string) => Said
    readonly open: (cloud: string) => string
    readonly again: string
    readonly steps: { readonly [step in 'blocked' | 'open' | 'closed']: (cloud: string) => string }
    readonly approve: (cloud: string) => Said & { readonly confirm: string }
    /** The card in the app says why. */
    readonly over: Said
  }
}

const english: WindowTexts = {
  gate: gateTexts.en,
  opening: { title: 'One moment', detail: 'This window belongs to your wallet.' },
  working: {
    title: 'One moment',
    detail: 'Keep this window open, and go on in the app if it asks you for anything.',
  },
  alone: {
    title: 'The app that asked is gone',
    detail: 'Nothing was done. Close this window, go back to the app, and begin again.',
  },
  over: 'Nothing was changed',
  overDetail: 'Close this window, go back to the app, and begin again.',
  done: {
    recovered: { title: 'Your wallet is here', detail: 'You can close this window.' },
    password: { title: 'Password set', detail: 'On a new device, your password opens your wallet.' },
    passkey: {
      title: 'Your account is secured',
      detail: 'On a new device, your passkey opens your wallet.',
    },
    cloud: (cloud) => ({
      title: 'Your account is secured',
      detail: `On a new device, your ${cloud} opens your wallet.`,
    }),
  },
  wallet: 'Wallet',
  tried: (minutes) =>
    `Too many tries. Please try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
  strength: { label: 'Password strength', weak: 'Weak', medium: 'Medium', strong: 'Strong' },
  field: { show: 'Show', hide: 'Hide' },
  steps: (at, of) => `Step ${at} of ${of}`,
  back: 'Back',
  creating: {
    title: 'Create your password',
    updateTitle: 'Choose a new password',
    detail:
      'It secures your account on every new device. Nobody else knows it, and nobody can reset it for you.',
    label: 'Password',
    generate: 'Generate a strong password',
    next: 'Continue',
  },
  saving: {
    title: 'Save your password',
    detail: 'Keep it where only you find it: in a password manager, or in a file of your own.',
    label: 'Your password',
    copy: 'Copy to clipboard',
    copied: 'Copied',
    download: 'Download recovery file',
    next: 'Continue',
    file: {
      title: (app) => `Wallet recovery for ${app}`,
      password: (password) => `Password: ${password}`,
      advice:
        'Who has this password and your login can open your wallet. Keep this file where only you find it.',
    },
  },
  confirming: {
    title: 'Confirm your password',
    detail: 'Enter it once more, so that you know it is saved.',
    label: 'Password',
    next: 'Continue',
  },
  finalizing: {
    title: 'One last thing',
    detail: 'We do not know your password, so we can not give it back to you.',
    understood:
      'I understand that if I lose my password and device, I will lose access to my account and my assets.',
    set: 'Set Password',
  },
  recover: {
    title: 'Enter your password',
    detail: 'This device does not have your wallet yet. Your recovery password brings it here.',
    label: 'Recovery password',
    recover: 'Recover',
  },
  passwordProblems: {
    tooShort: 'Password must be at least 6 characters',
    tooLong: 'Password must be at most 256 characters',
    invalidCharacters: (characters) => `Invalid characters used ( ${characters} )`,
    different: 'Passwords do not match',
    wrong: 'Invalid recovery password, please try again.',
    notSet: 'The password could not be set. Please try again.',
  },
  passkey: {
    set: {
      title: 'Secure with a passkey',
      detail:
        'A new passkey is made for your wallet alone. It brings the wallet to every new device that has it.',
      confirm: 'Create passkey',
      problems: {
        notAllowed: 'The request timed out or was cancelled. Please try again.',
        unable:
          'This passkey cannot protect a wallet. Try again and keep it somewhere else, or choose another way.',
        foreign: 'This passkey does not open this wallet. Please try again.',
        changedElsewhere: 'The recovery was changed on another page at the same time. Please try again.',
        expired: 'This took too long. Please try again.',
        failed: 'An error has occurred, please try again.',
      },
    },
    recover: {
      title: 'Recover with your passkey',
      detail:
        'This device does not have your wallet yet. The passkey that you secured it with brings it here.',
      confirm: 'Use passkey',
      problems: {
        notAllowed:
          'The request timed out or was cancelled, or this device does not have the passkey. If it is on another device, use that one.',
        unable: 'This device cannot open a wallet with its passkey. Try again with another device.',
        foreign: 'This passkey does not open this wallet. Try again with the one that you secured it with.',
        changedElsewhere: 'The recovery was changed on another page at the same time. Please try again.',
        expired: 'This took too long. Please try again.',
        failed: 'An error has occurred, please try again.',
      },
    },
    once: 'Your passkey is made. Use it once, so that you know that it opens your wallet.',
    use: 'Use passkey',
    again: 'Try again',
    prompt: { title: 'Waiting for your passkey', detail: 'Follow what your device asks.' },
    approve: {
      title: 'Secure your wallet with a passkey?',
      detail: 'From now on, the passkey that you made brings your wallet to a new device.',
      warning:
        'What brought it back until now no longer does. A copy of that which somebody kept, such as the operator of the app, stays good.',
      confirm: 'Use this passkey',
    },
  },
  cloud: {
    set: (cloud) => ({
      title: `Back up to ${cloud}`,
      detail: `A key is put into a folder of your ${cloud} that only this app can see. It brings your wallet to every new device.`,
    }),
    recover: (cloud) => ({
      title: `Recover with ${cloud}`,
      detail: `This device does not have your wallet yet. The key in your ${cloud} brings it here.`,
    }),
    open: (cloud) => `Continue with ${cloud}`,
    again: 'Try again',
    steps: {
      blocked: (cloud) => `Your browser did not open the window of ${cloud}. Allow it, and try again.`,
      open: (cloud) => `Sign in to ${cloud} in the window that opened.`,
      closed: (cloud) => `The window of ${cloud} was closed.`,
    },
    approve: (cloud) => ({
      title: `Back up your wallet to ${cloud}?`,
      detail: `From now on, the key in your ${cloud} brings your wallet to a new device.`,
      confirm: `Use ${cloud}`,
    }),
    over: {
      title: 'Nothing was changed',
      detail: 'Close this window. The app says why, and you can try again there.',
    },
  },
}

const arabic: WindowTexts = {
  gate: gateTexts.ar,
  opening: { title: 'لحظة من فضلك', detail: 'هذه النافذة تخص محفظتك.' },
  working: {
    title: 'لحظة من فضلك',
    detail: 'أبقِ هذه النافذة مفتوحة، وتابع في التطبيق إذا طلب منك شيئًا.',
  },
  alone: {
    title: 'التطبيق الذي طلب ذلك لم يعد مفتوحًا',
    detail: 'لم يُنفَّذ أي شيء. أغلق هذه النافذة وعد إلى التطبيق وابدأ من جديد.',
  },
  over: 'لم يتغير شيء',
  overDetail: 'أغلق هذه النافذة وعد إلى التطبيق وابدأ من جديد.',
  done: {
    recovered: { title: 'محفظتك هنا', detail: 'يمكنك إغلاق هذه النافذة.' },
    password: { title: 'تم تعيين كلمة المرور', detail: 'على جهاز جديد، تفتح كلمة المرور محفظتك.' },
    passkey: { title: 'حسابك مؤمّن', detail: 'على جهاز جديد، يفتح مفتاح المرور محفظتك.' },
    cloud: (cloud) => ({
      title: 'تم تأمين حسابك',
      detail: `على جهاز جديد، يفتح ${cloud} الخاص بك محفظتك.`,
    }),
  },
  wallet: 'المحفظة',
  tried: (minutes) => `محاولات كثيرة جدًا. حاول مرة أخرى بعد ${minutes} دقيقة.`,
  strength: { label: 'قوة كلمة المرور', weak: 'ضعيفة', medium: 'متوسطة', strong: 'قوية' },
  field: { show: 'إظهار', hide: 'إخفاء' },
  steps: (at, of) => `الخطوة ${at} من ${of}`,
  back: 'رجوع',
  creating: {
    title: 'أنشئ كلمة المرور',
    updateTitle: 'اختر كلمة مرور جديدة',
    detail: 'تؤمّن حسابك على كل جهاز جديد. لا يعرفها أحد غيرك، ولا يمكن لأحد إعادة تعيينها لك.',
    label: 'كلمة المرور',
    generate: 'إنشاء كلمة مرور قوية',
    next: 'متابعة',
  },
  saving: {
    title: 'احفظ كلمة المرور',
    detail: 'احتفظ بها حيث لا يجدها غيرك: في مدير كلمات مرور أو في ملف خاص بك.',
    label: 'كلمة المرور الخاصة بك',
    copy: 'نسخ إلى الحافظة',
    copied: 'تم النسخ',
    download: 'تنزيل ملف الاسترداد',
    next: 'متابعة',
    file: {
      title: (app) => `استرداد المحفظة في ${app}`,
      password: (password) => `كلمة المرور: ${password}`,
      advice: 'من يملك كلمة المرور هذه وتسجيل دخولك يستطيع فتح محفظتك. احتفظ بهذا الملف حيث لا يجده غيرك.',
    },
  },
  confirming: {
    title: 'أكّد كلمة المرور',
    detail: 'أدخلها مرة أخرى لتتأكد من أنها محفوظة.',
    label: 'كلمة المرور',
    next: 'متابعة',
  },
  finalizing: {
    title: 'أمر أخير',
    detail: 'نحن لا نعرف كلمة مرورك، ولذلك لا يمكننا إعادتها إليك.',
    understood: 'أفهم أنه إذا فقدت كلمة المرور والجهاز، فسأفقد الوصول إلى حسابي وأصولي.',
    set: 'تعيين كلمة المرور',
  },
  recover: {
    title: 'أدخل كلمة المرور',
    detail: 'محفظتك ليست على هذا الجهاز بعد. كلمة مرور الاسترداد تجلبها إلى هنا.',
    label: 'كلمة مرور الاسترداد',
    recover: 'استرداد',
  },
  passwordProblems: {
    tooShort: 'يجب ألا تقل كلمة المرور عن 6 أحرف',
    tooLong: 'يجب ألا تزيد كلمة المرور على 256 حرفًا',
    invalidCharacters: (characters) => `استُخدمت أحرف غير صالحة ( ${characters} )`,
    different: 'كلمتا المرور غير متطابقتين',
    wrong: 'كلمة مرور الاسترداد غير صحيحة، يرجى المحاولة مرة أخرى.',
    notSet: 'تعذّر تعيين كلمة المرور. يرجى المحاولة مرة أخرى.',
  },
  passkey: {
    set: {
      title: 'التأمين بمفتاح مرور',
      detail: 'يُنشأ مفتاح مرور جديد لمحفظتك وحدها. يجلب المحفظة إلى كل جهاز جديد يوجد عليه.',
      confirm: 'إنشاء مفتاح مرور',
      problems: {
        notAllowed: 'انتهت مهلة الطلب أو أُلغي. يرجى المحاولة مرة أخرى.',
        unable:
          'لا يستطيع مفتاح المرور هذا حماية محفظة. حاول مرة أخرى واحفظه في مكان آخر، أو اختر طريقة أخرى.',
        foreign: 'مفتاح المرور هذا لا يفتح هذه المحفظة. يرجى المحاولة مرة أخرى.',
        changedElsewhere: 'تغيّرت طريقة الاسترداد في صفحة أخرى في الوقت نفسه. يرجى المحاولة مرة أخرى.',
        expired: 'استغرق ذلك وقتًا طويلًا. يرجى المحاولة مرة أخرى.',
        failed: 'حدث خطأ، يرجى المحاولة مرة أخرى.',
      },
    },
    recover: {
      title: 'الاسترداد بمفتاح المرور',
      detail: 'محفظتك ليست على هذا الجهاز بعد. مفتاح المرور الذي أمّنتها به يجلبها إلى هنا.',
      confirm: 'استخدام مفتاح المرور',
      problems: {
        notAllowed:
          'انتهت مهلة الطلب أو أُلغي، أو لا يوجد مفتاح المرور على هذا الجهاز. إن كان على جهاز آخر فاستخدمه.',
        unable: 'لا يستطيع هذا الجهاز فتح محفظة بمفتاح المرور الذي عليه. حاول مرة أخرى بجهاز آخر.',
        foreign: 'مفتاح المرور هذا لا يفتح هذه المحفظة. حاول مرة أخرى بالمفتاح الذي أمّنتها به.',
        changedElsewhere: 'تغيّرت طريقة الاسترداد في صفحة أخرى في الوقت نفسه. يرجى المحاولة مرة أخرى.',
        expired: 'استغرق ذلك وقتًا طويلًا. يرجى المحاولة مرة أخرى.',
        failed: 'حدث خطأ، يرجى المحاولة مرة أخرى.',
      },
    },
    once: 'أُنشئ مفتاح المرور. استخدمه مرة واحدة لتتأكد أنه يفتح محفظتك.',
    use: 'استخدام مفتاح المرور',
    again: 'حاول مرة أخرى',
    prompt: { title: 'بانتظار مفتاح المرور', detail: 'اتبع ما يطلبه جهازك.' },
    approve: {
      title: 'تأمين محفظتك بمفتاح مرور؟',
      detail: 'من الآن فصاعدًا يجلب مفتاح المرور الذي أنشأته محفظتك إلى جهاز جديد.',
      warning:
        'ما كان يجلبها حتى الآن لن يجلبها بعد ذلك. أما نسخة منه احتفظ بها أحد، كمشغّل التطبيق، فتبقى صالحة.',
      confirm: 'استخدام مفتاح المرور هذا',
    },
  },
  cloud: {
    set: (cloud) => ({
      title: `النسخ الاحتياطي إلى ${cloud}`,
      detail: `يُوضع مفتاح في مجلد في ${cloud} الخاص بك لا يراه إلا هذا التطبيق. وهو يجلب محفظتك إلى كل جهاز جديد.`,
    }),
    recover: (cloud) => ({
      title: `الاسترداد عبر ${cloud}`,
      detail: `محفظتك ليست على هذا الجهاز بعد. المفتاح الموجود في ${cloud} الخاص بك يجلبها إلى هنا.`,
    }),
    open: (cloud) => `المتابعة عبر ${cloud}`,
    again: 'حاول مرة أخرى',
    steps: {
      blocked: (cloud) => `لم يفتح متصفحك نافذة ${cloud}. اسمح بها وحاول مرة أخرى.`,
      open: (cloud) => `سجّل الدخول إلى ${cloud} في النافذة التي فُتحت.`,
      closed: (cloud) => `أُغلقت نافذة ${cloud}.`,
    },
    approve: (cloud) => ({
      title: `نسخ محفظتك احتياطيًا إلى ${cloud}؟`,
      detail: `من الآن فصاعدًا يجلب المفتاح الموجود في ${cloud} الخاص بك محفظتك إلى جهاز جديد.`,
      confirm: `استخدام ${cloud}`,
    }),
    over: {
      title: 'لم يتغير شيء',
      detail: 'أغلق هذه النافذة. يذكر التطبيق السبب، ويمكنك المحاولة مرة أخرى هناك.',
    },
  },
}

export const languages: InLanguages<WindowTexts> = { en: english, ar: arabic }
