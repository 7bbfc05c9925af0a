/** What the page of confirmations says, by language: in the words of the card that leads to it. */
import { type TypedDataWords, typedDataArabic, typedDataEnglish } from '@latchkey/protocol/reading'
import { type GateTexts, gateTexts } from '../pages/gated-button.ts'
import type { InLanguages } from '../pages/languages.ts'
import type { CodeOnItsWay, CodeProblem, PageProblem, PasskeyProblem } from './page-flow.ts'
import type { ShownAction } from './subject.ts'

type Said = { readonly title: string; readonly detail: string }

export type ConfirmTexts = {
  readonly reading: Said
  readonly waiting: Said
  readonly approved: Said
  readonly refused: Said
  readonly unreachable: Said & { readonly retry: string }
  readonly problems: { readonly [problem in PageProblem]: Said }
  readonly gate: GateTexts
  readonly passkey: {
    readonly cutOff: string
    readonly go: string
  } & { readonly [problem in PasskeyProblem]: string }
  readonly code: {
    readonly cutOff: string
    readonly send: string
    readonly sent: { readonly [way in CodeOnItsWay['by']]: (to: string) => string }
    readonly label: { readonly [way in CodeOnItsWay['by']]: (hostname: string) => string }
    readonly confirm: string
    readonly again: string
    readonly problems: { readonly [problem in CodeProblem]: string }
  }
  /** Of a dapp that the user connected by a link, by the host of its address. */
  readonly relayed: {
    readonly unverified: (host: string) => string
    readonly logsIn: (host: string) => string
  }
  readonly refuse: string
  readonly deciding: string
  readonly account: string
  readonly wallet: string
  readonly message: {
    readonly title: string
    readonly detail: string
    readonly go: string
    readonly name: string
    readonly invisible: string
    readonly noText: string
  }
  readonly typedData: TypedDataWords & { readonly empty: string }
  readonly transaction: {
    readonly send: (symbol: string) => string
    readonly title: string
    readonly go: string
    readonly from: string
    readonly to: string
    readonly nobody: string
    readonly action: string
    readonly network: string
    readonly unknownNetwork: (id: string) => string
    readonly coin: string
    readonly smallest: string
    readonly value: string
    readonly fees: string
    /** The note for a chain that did not say what it charges for the data. */
    readonly moreFees: string
    readonly worth: string
    readonly data: string
    readonly handedOver: string
    readonly unlisted: string
    readonly actions: {
      readonly native: string
      readonly send: string
      readonly sendEverything: string
      readonly allow: string
      readonly allowMore: string
      readonly allowEverything: string
      readonly takeBack: string
      readonly allowAll: string
      readonly forbidAll: string
      readonly unnamed: string
      readonly create: string
      readonly unknown: string
    }
    readonly others: { readonly owner: string; readonly recipient: string; readonly spender: string }
    readonly warnings: {
      readonly unlimited: string
      readonly everything: string
      readonly unknown: string
      readonly creation: string
    }
  }
  readonly actions: {
    readonly [action in ShownAction]: Said & { readonly warning: string; readonly go: string }
  }
}

const english: ConfirmTexts = {
  reading: {
    title: 'Reading the request',
    detail: 'Only what the server has under this address is shown here.',
  },
  waiting: {
    title: 'One moment',
    detail: 'The request appears here. If it does not, look at the page that you came from.',
  },
  approved: { title: 'Confirmed', detail: 'You can close this page.' },
  refused: { title: 'Refused', detail: 'Nothing was done. You can close this page.' },
  unreachable: {
    title: 'This page could not go on',
    detail: 'The server or the network did not answer.',
    retry: 'Try again',
  },
  problems: {
    expired: {
      title: 'This request has expired',
      detail: 'Nothing was done. Go back to the app and ask again.',
    },
    decided: {
      title: 'This request was decided already',
      detail: 'It can be confirmed once, on one page. Go back to the app and ask again.',
    },
    unknown: {
      title: 'There is no such request',
      detail: 'Go back to the app and ask again.',
    },
    changed: {
      title: 'This request was blocked',
      detail: 'What was asked for is not what can be shown here. Nothing was done.',
    },
    unreadable: {
      title: 'This request was blocked',
      detail: 'It cannot be shown here, so it cannot be confirmed. Nothing was done.',
    },
    alone: {
      title: 'The app that asked is gone',
      detail: 'Nothing was done. Go back to the app and ask again.',
    },
    'log-in-again': {
      title: 'Log in again',
      detail: 'Nothing was done. Go back to the app, log in there once more, and ask again.',
    },
    'no-address': {
      title: 'This can not be confirmed here',
      detail:
        'The app keeps its pages apart, and there is no e-mail address, number or authenticator app of yours, or only one that is new, to confirm by code. Nothing was done.',
    },
  },
  gate: gateTexts.en,
  passkey: {
    cutOff: 'The app keeps its pages apart, so this is confirmed with the passkey that keeps your wallet.',
    go: 'Confirm with your passkey',
    'not-given': 'Your passkey was not given, or is not on this device. Try again, or continue with a code.',
    refused: 'This passkey does not confirm the request. Continue with a code.',
  },
  code: {
    cutOff: 'The app keeps its pages apart, so this is confirmed with a code.',
    send: 'Continue with a code',
    sent: {
      mail: (address) => `We sent it to ${address}. The mail says once more what you confirm.`,
      sms: (number) => `We sent it to ${number}. The text says once more what you confirm.`,
      totp: () => 'Open your authenticator app. Its code confirms this one request.',
    },
    label: {
      mail: (hostname) => `Code, for ${hostname} only`,
      sms: (hostname) => `Code, for ${hostname} only`,
      totp: (hostname) => `Code of your authenticator app, on ${hostname}`,
    },
    confirm: 'Confirm',
    again: 'Send another code',
    problems: {
      wrong: 'This code is wrong, or no longer valid.',
      'too-many': 'Too many tries. Please wait a few minutes.',
    },
  },
  relayed: {
    unverified: (host) =>
      `You connected this site by a link. It says that it is ${host}, and nobody has verified that. Confirm only if you asked for this there.`,
    logsIn: (host) =>
      `This logs you in at ${host}. Whoever asked can then act as you there, so confirm only if you are logging in at ${host} right now.`,
  },
  refuse: 'Refuse',
  deciding: 'Confirming',
  account: 'Account',
  wallet: 'Wallet',
  message: {
    title: 'Sign message',
    detail: 'Signing this message will not cost you any fees.',
    go: 'Sign and continue',
    name: 'Message',
    invisible: 'Characters that cannot be seen are shown as their code.',
    noText:
      'This is no text that can be read, so it cannot be said what it means. Sign only if you trust this app.',
  },
  typedData: { ...typedDataEnglish, empty: 'empty' },
  transaction: {
    send: (symbol) => `Send ${symbol}`,
    title: 'Review transaction',
    go: 'Submit',
    from: 'From',
    to: 'To',
    nobody: 'A new contract',
    action: 'Action',
    network: 'Network',
    unknownNetwork: (id) => `Number ${id}, which is in no list`,
    coin: 'coins',
    smallest: 'of the smallest units',
    value: 'Value',
    fees: 'Fees at most',
    moreFees: 'The fees may be higher: the network did not say what it charges for the data.',
    worth: 'Worth at most',
    data: 'Data of the transaction',
    handedOver: 'Once it is signed, this may be given to the app, which can then send it at any time.',
    unlisted:
      'This token is in no list, so it can have any name. Its amount is in the smallest units, or the number of a single thing.',
    actions: {
      native: 'Send {what}',
      send: 'Send {what}',
      sendEverything: 'Send everything that there is in {what}',
      allow: 'Allow {what} to be taken',
      allowMore: 'Allow {what} more to be taken',
      allowEverything: 'Allow everything that you have in {what} to be taken',
      takeBack: 'Take back: no more {what} may be taken',
      allowAll: 'Allow all of your {what} to be taken',
      forbidAll: 'No longer allow your {what} to be taken',
      unnamed: 'tokens',
      create: 'Create a contract',
      unknown: 'Call a contract',
    },
    others: { owner: 'Taken from', recipient: 'Recipient', spender: 'Taken by' },
    warnings: {
      unlimited:
        'This allows tokens to be taken without any limit, at any time and without asking you again.',
      everything:
        'This allows everything of this collection to be taken, at any time and without asking you again.',
      unknown: 'It cannot be said what this transaction does. Submit it only if you trust this app.',
      creation: 'This transaction creates a contract. Submit it only if you trust this app.',
    },
  },
  actions: {
    export: {
      title: 'Show your key?',
      detail: 'The private key of your wallet is shown in the app that asked.',
      warning:
        'Whoever sees it can take everything that is in your wallet. Be alone, and share it with nobody.',
      go: 'Show my key',
    },
    'delete-account': {
      title: 'Delete your account?',
      detail:
        'You are logged out everywhere, and what you log in with is no longer connected to this account.',
      warning: 'This can not be undone. A wallet of this account is lost for ever, with what is in it.',
      go: 'Delete my account',
    },
    'recovery-user-passcode': {
      title: 'Secure your wallet with a password?',
      detail: 'From now on, the password that you chose brings your wallet to a new device.',
      warning:
        'What brought it back until now no longer does. A copy of that which somebody kept, such as the operator of the app, stays good.',
      go: 'Set Password',
    },
    'recovery-passkey': {
      title: 'Secure your wallet with a passkey?',
      detail: 'From now on, the passkey that you made brings your wallet to a new device.',
      warning:
        'What brought it back until now no longer does. A copy of that which somebody kept, such as the operator of the app, stays good.',
      go: 'Use this passkey',
    },
    'recovery-google-drive': {
      title: 'Secure your wallet with Google Drive?',
      detail: 'From now on, a key in your Google Drive brings your wallet to a new device.',
      warning:
        'What brought it back until now no longer does. A copy of that which somebody kept, such as the operator of the app, stays good.',
      go: 'Use Google Drive',
    },
    'recovery-icloud': {
      title: 'Secure your wallet with iCloud?',
      detail: 'From now on, a key in your iCloud brings your wallet to a new device.',
      warning:
        'What brought it back until now no longer does. A copy of that which somebody kept, such as the operator of the app, stays good.',
      go: 'Use iCloud',
    },
    'remove-totp': {
      title: 'Remove authenticator app verification?',
      detail: 'Codes of your authenticator app no longer verify you.',
      warning: 'Whoever gets into your account then has one thing less to get past.',
      go: 'Remove',
    },
    'remove-sms': {
      title: 'Remove SMS verification?',
      detail: 'Codes sent to your phone no longer verify you.',
      warning: 'Whoever gets into your account then has one thing less to get past.',
      go: 'Remove',
    },
    'remove-passkey': {
      title: 'Remove passkey verification?',
      detail: 'Your passkeys no longer verify you. They stay linked to your account.',
      warning: 'Whoever gets into your account then has one thing less to get past.',
      go: 'Remove',
    },
  },
}

const arabic: ConfirmTexts = {
  reading: { title: 'جارٍ قراءة الطلب', detail: 'لا يُعرض هنا إلا ما لدى الخادم لهذا العنوان.' },
  waiting: { title: 'لحظة من فضلك', detail: 'يظهر الطلب هنا. إن لم يظهر فانظر إلى الصفحة التي جئت منها.' },
  approved: { title: 'تم التأكيد', detail: 'يمكنك إغلاق هذه الصفحة.' },
  refused: { title: 'تم الرفض', detail: 'لم يُنفَّذ أي شيء. يمكنك إغلاق هذه الصفحة.' },
  unreachable: {
    title: 'تعذّر على هذه الصفحة المتابعة',
    detail: 'لم يرد الخادم أو الشبكة.',
    retry: 'حاول مرة أخرى',
  },
  problems: {
    expired: {
      title: 'انتهت صلاحية هذا الطلب',
      detail: 'لم يُنفَّذ أي شيء. عُد إلى التطبيق واطلب من جديد.',
    },
    decided: {
      title: 'سبق البتّ في هذا الطلب',
      detail: 'يُؤكَّد الطلب مرة واحدة في صفحة واحدة. عُد إلى التطبيق واطلب من جديد.',
    },
    unknown: { title: 'لا يوجد طلب كهذا', detail: 'عُد إلى التطبيق واطلب من جديد.' },
    changed: {
      title: 'تم حظر هذا الطلب',
      detail: 'ما طُلب ليس ما يمكن عرضه هنا. لم يُنفَّذ أي شيء.',
    },
    unreadable: {
      title: 'تم حظر هذا الطلب',
      detail: 'لا يمكن عرضه هنا، لذا لا يمكن تأكيده. لم يُنفَّذ أي شيء.',
    },
    alone: {
      title: 'لم يعد التطبيق الذي طلب موجوداً',
      detail: 'لم يُنفَّذ أي شيء. عُد إلى التطبيق واطلب من جديد.',
    },
    'log-in-again': {
      title: 'سجّل الدخول مرة أخرى',
      detail: 'لم يُنفَّذ أي شيء. عُد إلى التطبيق وسجّل الدخول فيه مرة أخرى ثم اطلب من جديد.',
    },
    'no-address': {
      title: 'لا يمكن تأكيد هذا هنا',
      detail:
        'يعزل التطبيق صفحاته، وليس لديك عنوان بريد إلكتروني أو رقم أو تطبيق مصادقة للتأكيد برمز، أو ليس لديك منها إلا ما أُضيف حديثًا. لم يُنفَّذ أي شيء.',
    },
  },
  gate: gateTexts.ar,
  passkey: {
    cutOff: 'يعزل التطبيق صفحاته، لذا يُؤكَّد هذا بمفتاح المرور الذي يحفظ محفظتك.',
    go: 'التأكيد بمفتاح المرور',
    'not-given': 'لم يُقدَّم مفتاح المرور أو أنه ليس على هذا الجهاز. حاول مرة أخرى أو تابع برمز.',
    refused: 'لا يؤكد مفتاح المرور هذا الطلب. تابع برمز.',
  },
  code: {
    cutOff: 'يعزل التطبيق صفحاته، لذا يُؤكَّد هذا برمز.',
    send: 'المتابعة برمز',
    sent: {
      mail: (address) => `أرسلناه إلى ${address}. تذكر الرسالة مرة أخرى ما الذي تؤكده.`,
      sms: (number) => `أرسلناه إلى ${number}. تذكر الرسالة النصية مرة أخرى ما الذي تؤكده.`,
      totp: () => 'افتح تطبيق المصادقة. يؤكد رمزه هذا الطلب وحده.',
    },
    label: {
      mail: (hostname) => `الرمز، في ${hostname} فقط`,
      sms: (hostname) => `الرمز، في ${hostname} فقط`,
      totp: (hostname) => `رمز تطبيق المصادقة، في ${hostname}`,
    },
    confirm: 'تأكيد',
    again: 'أرسل رمزًا آخر',
    problems: {
      wrong: 'هذا الرمز خاطئ أو لم يعد صالحًا.',
      'too-many': 'محاولات كثيرة جدًا. يُرجى الانتظار بضع دقائق.',
    },
  },
  relayed: {
    unverified: (host) =>
      `وصلت هذا الموقع برابط. يقول إنه ${host}، ولم يتحقق أحد من ذلك. لا تؤكد إلا إذا طلبت هذا هناك.`,
    logsIn: (host) =>
      `هذا يسجّل دخولك في ${host}. ويمكن لمن طلب ذلك أن يتصرف باسمك هناك، فلا تؤكد إلا إذا كنت تسجّل الدخول في ${host} الآن.`,
  },
  refuse: 'رفض',
  deciding: 'جارٍ التأكيد',
  account: 'الحساب',
  wallet: 'المحفظة',
  message: {
    title: 'توقيع رسالة',
    detail: 'لن يكلفك توقيع هذه الرسالة أي رسوم.',
    go: 'وقّع وتابع',
    name: 'الرسالة',
    invisible: 'تُعرض الأحرف غير المرئية برموزها.',
    noText: 'هذا ليس نصاً يمكن قراءته، لذا لا يمكن معرفة معناه. لا توقّع إلا إذا كنت تثق بهذا التطبيق.',
  },
  typedData: { ...typedDataArabic, empty: 'فارغ' },
  transaction: {
    send: (symbol) => `إرسال ${symbol}`,
    title: 'مراجعة المعاملة',
    go: 'إرسال',
    from: 'من',
    to: 'إلى',
    nobody: 'عقد جديد',
    action: 'الإجراء',
    network: 'الشبكة',
    unknownNetwork: (id) => `الرقم ${id}، وليس في أي قائمة`,
    coin: 'عملة',
    smallest: 'من أصغر الوحدات',
    value: 'القيمة',
    fees: 'الرسوم على الأكثر',
    moreFees: 'قد تكون الرسوم أعلى: لم تذكر الشبكة ما تتقاضاه مقابل البيانات.',
    worth: 'القيمة على الأكثر',
    data: 'بيانات المعاملة',
    handedOver: 'قد تُسلَّم هذه المعاملة بعد توقيعها إلى التطبيق، الذي يمكنه حينها إرسالها في أي وقت.',
    unlisted: 'هذا الرمز ليس في أي قائمة، فقد يحمل أي اسم. مبلغه بأصغر الوحدات، أو هو رقم شيء واحد.',
    actions: {
      native: 'إرسال {what}',
      send: 'إرسال {what}',
      sendEverything: 'إرسال كل ما يوجد من {what}',
      allow: 'السماح بسحب {what}',
      allowMore: 'السماح بسحب {what} إضافية',
      allowEverything: 'السماح بسحب كل ما تملكه من {what}',
      takeBack: 'استرجاع الإذن: لا يُسحب المزيد من {what}',
      allowAll: 'السماح بسحب كل ما لديك من {what}',
      forbidAll: 'إلغاء السماح بسحب ما لديك من {what}',
      unnamed: 'الرموز',
      create: 'إنشاء عقد',
      unknown: 'استدعاء عقد',
    },
    others: { owner: 'تُسحب من', recipient: 'المستلم', spender: 'يسحبها' },
    warnings: {
      unlimited: 'يسمح هذا بسحب الرموز بلا أي حد، في أي وقت ودون أن يسألك مرة أخرى.',
      everything: 'يسمح هذا بسحب كل ما في هذه المجموعة، في أي وقت ودون أن يسألك مرة أخرى.',
      unknown: 'لا يمكن معرفة ما تفعله هذه المعاملة. لا ترسلها إلا إذا كنت تثق بهذا التطبيق.',
      creation: 'تنشئ هذه المعاملة عقدًا. لا ترسلها إلا إذا كنت تثق بهذا التطبيق.',
    },
  },
  actions: {
    export: {
      title: 'هل تريد إظهار مفتاحك؟',
      detail: 'يُعرض المفتاح الخاص لمحفظتك في التطبيق الذي طلبه.',
      warning: 'من يراه يستطيع أخذ كل ما في محفظتك. كن وحدك ولا تشاركه مع أي شخص.',
      go: 'أظهر مفتاحي',
    },
    'delete-account': {
      title: 'هل تريد حذف حسابك؟',
      detail: 'سيتم تسجيل خروجك من كل مكان، ولن تبقى طرق دخولك مرتبطة بهذا الحساب.',
      warning: 'لا يمكن التراجع عن ذلك. تُفقد محفظة هذا الحساب وما فيها إلى الأبد.',
      go: 'حذف حسابي',
    },
    'recovery-user-passcode': {
      title: 'تأمين محفظتك بكلمة مرور؟',
      detail: 'من الآن فصاعدًا تجلب كلمة المرور التي اخترتها محفظتك إلى جهاز جديد.',
      warning:
        'ما كان يجلبها حتى الآن لن يجلبها بعد ذلك. أما نسخة منه احتفظ بها أحد، كمشغّل التطبيق، فتبقى صالحة.',
      go: 'تعيين كلمة المرور',
    },
    'recovery-passkey': {
      title: 'تأمين محفظتك بمفتاح مرور؟',
      detail: 'من الآن فصاعدًا يجلب مفتاح المرور الذي أنشأته محفظتك إلى جهاز جديد.',
      warning:
        'ما كان يجلبها حتى الآن لن يجلبها بعد ذلك. أما نسخة منه احتفظ بها أحد، كمشغّل التطبيق، فتبقى صالحة.',
      go: 'استخدام مفتاح المرور هذا',
    },
    'recovery-google-drive': {
      title: 'تأمين محفظتك عبر Google Drive؟',
      detail: 'من الآن فصاعدًا يجلب مفتاح في Google Drive الخاص بك محفظتك إلى جهاز جديد.',
      warning:
        'ما كان يجلبها حتى الآن لن يجلبها بعد ذلك. أما نسخة منه احتفظ بها أحد، كمشغّل التطبيق، فتبقى صالحة.',
      go: 'استخدام Google Drive',
    },
    'recovery-icloud': {
      title: 'تأمين محفظتك عبر iCloud؟',
      detail: 'من الآن فصاعدًا يجلب مفتاح في iCloud الخاص بك محفظتك إلى جهاز جديد.',
      warning:
        'ما كان يجلبها حتى الآن لن يجلبها بعد ذلك. أما نسخة منه احتفظ بها أحد، كمشغّل التطبيق، فتبقى صالحة.',
      go: 'استخدام iCloud',
    },
    'remove-totp': {
      title: 'إزالة التحقق بتطبيق المصادقة؟',
      detail: 'لن تُقبل رموز تطبيق المصادقة بعد الآن.',
      warning: 'سيقل حينها ما يقف أمام من يصل إلى حسابك.',
      go: 'إزالة',
    },
    'remove-sms': {
      title: 'إزالة التحقق برسالة نصية؟',
      detail: 'لن تُقبل الرموز المرسلة إلى هاتفك بعد الآن.',
      warning: 'سيقل حينها ما يقف أمام من يصل إلى حسابك.',
      go: 'إزالة',
    },
    'remove-passkey': {
      title: 'إزالة التحقق بمفتاح المرور؟',
      detail: 'لن تُستخدم مفاتيح المرور للتحقق بعد الآن، لكنها تبقى مرتبطة بحسابك.',
      warning: 'سيقل حينها ما يقف أمام من يصل إلى حسابك.',
      go: 'إزالة',
    },
  },
}

export const languages: InLanguages<ConfirmTexts> = { en: english, ar: arabic }
