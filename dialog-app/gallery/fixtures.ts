/** Every screen in every state, as the core would show it. */
import { anyOtherError, type ClientConfig, errorScreenTexts, messages, type User } from '@latchkey/protocol'
import type { HeaderFlags } from '../core.ts'
import type { CodeState, ScreenView, SignState } from '../flows/view-state.ts'
import { en } from '../i18n/en.ts'

export type Fixture = {
  readonly caption: string
  readonly screen: ScreenView
  readonly header?: Partial<HeaderFlags>
  readonly config?: ClientConfig
  readonly standalone?: boolean
  /** Typed into the fields before `screen` shows, while they still take it. */
  readonly typed?: string
}

const landing = (caption: string, more: Omit<Fixture, 'caption' | 'screen'> = {}, email = ''): Fixture => ({
  caption,
  screen: { name: 'LANDING', state: { status: 'ready', methods: ['email'], email } },
  ...more,
})

export const openCode: CodeState = {
  status: 'awaiting-code-input',
  address: 'mira@fieldnotes.example',
  problem: undefined,
  attempt: 1,
  resend: 'available',
}
const code = (caption: string, state: Partial<CodeState>, typed?: string): Fixture => ({
  caption,
  screen: { name: 'AWAITING_PASSWORDLESS_CODE', state: { ...openCode, ...state } },
  header: { back: true },
  ...(typed !== undefined && { typed }),
})

const message = 'I agree to join the Spring Survey and to share my observations under CC-BY.'
const shown: Pick<
  SignState,
  'title' | 'description' | 'buttonText' | 'iconUrl' | 'message' | 'address' | 'appName' | 'origin'
> = {
  title: en.sign.title,
  description: en.sign.description,
  buttonText: en.sign.button,
  iconUrl: undefined,
  message,
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  appName: 'Fieldnotes',
  origin: 'https://app.fieldnotes.example',
}
const sign = (
  caption: string,
  step:
    | { readonly status: 'review'; readonly gate: 'armed' | 'disarmed' | 'hidden' }
    | { readonly status: 'signing' | 'success' }
    | { readonly status: 'failed'; readonly problem: string },
  over: Partial<typeof shown> = {},
): Fixture => ({
  caption,
  screen: {
    name: 'EMBEDDED_WALLET_SIGN_REQUEST_SCREEN',
    state: { ...shown, ...over, ...step } satisfies SignState,
  },
})
const armed = { status: 'review', gate: 'armed' } as const

const error = (
  caption: string,
  texts: { readonly title: string; readonly detail?: string | undefined; readonly button: string },
): Fixture => ({
  caption,
  screen: {
    name: 'ERROR_SCREEN',
    state: { ...texts, detail: texts.detail ?? 'Login with this method is switched off.' },
  },
})

const user: User = {
  id: 'user-1',
  createdAt: 0,
  email: { address: 'mira@fieldnotes.example' },
  wallet: {
    type: 'wallet',
    address: shown.address,
    chainType: 'ethereum',
    verifiedAt: 0,
    firstVerifiedAt: null,
    latestVerifiedAt: null,
  },
  linkedAccounts: [],
  mfaMethods: [],
  hasAcceptedTerms: false,
}

/** A wide logo, wider than it may be. */
const wideLogo =
  'data:image/svg+xml;base64,' +
  btoa(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 120"><rect width="480" height="120" rx="30" fill="#2f7d5b"/><path d="M60 85V40l30 30 30-30v45M160 62h250" stroke="#fff" stroke-width="14" fill="none" stroke-linecap="round" stroke-linejoin="round"/></svg>',
  )

const longWord = 'Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstelle'

export const fixtures: readonly Fixture[] = [
  landing('Landing'),
  landing('Landing, address typed', {}, 'mira@fieldnotes.example'),
  {
    caption: 'Landing, sending',
    screen: {
      name: 'LANDING',
      state: { status: 'sending', methods: ['email'], email: 'mira@fieldnotes.example' },
    },
  },
  landing('Landing, own words and logo', {
    config: {
      appearance: {
        logo: wideLogo,
        landingHeader: 'Log in to Fieldnotes',
        loginMessage: 'Your observations are kept with your account, and are yours to take along.',
      },
    },
  }),
  landing('Landing, inputs hidden', { config: { appearance: { hideDirectWeb2Inputs: true } } }),
  landing('Landing, long words', {
    config: { appearance: { landingHeader: longWord, loginMessage: `${longWord} ${longWord}` } },
  }),
  landing('Landing, standalone', { standalone: true }),
  code('Code', {}),
  code('Code, half typed', {}, '482'),
  code('Code, not a number', {}, '4x'),
  code('Code, checking', { status: 'submitting-code' }, '482913'),
  code('Code, wrong', { status: 'error', problem: messages.invalidVerificationCode }, '482913'),
  code('Code, after a wrong one', { problem: messages.invalidVerificationCode }),
  code('Code, sending anew', { status: 'sending-code', resend: 'sending' }),
  code('Code, sent anew', { resend: 'locked' }),
  code('Code, accepted', { status: 'done' }, '482913'),
  error('Error', anyOtherError),
  ...Object.entries(errorScreenTexts).map(([name, texts]) => error(`Error, ${name}`, texts)),
  {
    caption: 'Allowlist',
    screen: { name: 'ALLOWLIST_REJECTION_SCREEN', state: { ...en.allowlist, link: undefined } },
  },
  {
    caption: 'Allowlist, own link',
    screen: {
      name: 'ALLOWLIST_REJECTION_SCREEN',
      state: {
        title: 'Fieldnotes is in a closed test',
        detail: 'We let in new people every week.',
        button: 'Join the waiting list',
        link: 'https://fieldnotes.example/list',
      },
    },
  },
  { caption: 'Account not found', screen: { name: 'ACCOUNT_NOT_FOUND_SCREEN', state: {} } },
  { caption: 'User limit', screen: { name: 'USER_LIMIT_REACHED_SCREEN', state: {} } },
  {
    caption: 'Wallet, creating',
    screen: { name: 'EMBEDDED_WALLET_ON_ACCOUNT_CREATE_SCREEN', state: { status: 'creating' } },
    header: { close: false },
  },
  {
    caption: 'Wallet, not created',
    screen: {
      name: 'EMBEDDED_WALLET_ON_ACCOUNT_CREATE_SCREEN',
      state: { status: 'failed', problem: messages.walletCreate.timedOut },
    },
  },
  {
    caption: 'Wallet created, new user',
    screen: { name: 'EMBEDDED_WALLET_CREATED_SCREEN', state: { title: 'Welcome' } },
  },
  {
    caption: 'Wallet created',
    screen: { name: 'EMBEDDED_WALLET_CREATED_SCREEN', state: { title: 'All set!' } },
  },
  {
    caption: 'Wallet, connecting',
    screen: { name: 'EMBEDDED_WALLET_CONNECTING_SCREEN', state: { status: 'connecting' } },
  },
  {
    caption: 'Wallet, recovering',
    screen: { name: 'EMBEDDED_WALLET_CONNECTING_SCREEN', state: { status: 'recovering' } },
  },
  sign('Sign', armed),
  sign('Sign, not yet', { status: 'review', gate: 'disarmed' }),
  sign('Sign, covered', { status: 'review', gate: 'hidden' }),
  sign('Sign, invisible characters', armed, {
    message: 'Pay 10\u202e001\u202c to\u00a0bob\u200b.example\0\n\nسلام 👩‍🚀',
  }),
  sign('Sign, long message', armed, { message: `${message}\n\n`.repeat(8) + longWord.repeat(2) }),
  sign('Sign, own words', armed, {
    title: 'Join the survey',
    description: 'Your signature proves that this account is yours. It moves nothing.',
    buttonText: 'Join',
    origin: 'https://a-very-long-name-of-a-preview.deployment-of-the-main-branch.fieldnotes.example:8443',
  }),
  sign('Sign, signing', { status: 'signing' }),
  sign('Sign, signed', { status: 'success' }),
  sign('Sign, failed', { status: 'failed', problem: 'The wallet did not answer in time.' }),
  {
    caption: 'Signed in, standalone',
    screen: { name: 'SIGNED_IN', state: { status: 'ready', user } },
    standalone: true,
  },
  {
    caption: 'Signed in, logging out',
    screen: { name: 'SIGNED_IN', state: { status: 'logging-out', user } },
    standalone: true,
  },
]
