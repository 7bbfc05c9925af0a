import { type ErrorCode, errorCodes, LatchkeyError } from '@latchkey/protocol'
import { type Picture, type Pictures, picturedView } from '../../contract/picture.ts'
import type { AllowlistState } from './allowlist-text.ts'
import { errorScreenTexts } from './error-text.ts'
import {
  AccountNotFoundView,
  AllowlistView,
  ErrorView,
  LoginDeniedView,
  UserLimitView,
} from './refusal-screens.tsx'
import {
  accountNotFoundScreen,
  allowlistScreen,
  errorScreen,
  loginDeniedScreen,
  userLimitScreen,
} from './screens.ts'

const serverMessage = 'Login with this method is switched off.'
const error = (caption: string, code: ErrorCode): Picture => ({
  caption,
  screen: picturedView(errorScreen, ErrorView, (press) => ({
    error: new LatchkeyError(code, serverMessage),
    onRetry: press('retry'),
  })),
})
const allowlist = (caption: string, own: AllowlistState): Picture => ({
  caption,
  screen: picturedView(allowlistScreen, AllowlistView, (press) => ({
    ...own,
    onStartOver: press('start over'),
  })),
})

export const pictures: Pictures = {
  screens: [
    error('Error', 'internal_error'),
    ...errorCodes
      .filter((code) => errorScreenTexts.byCode[code])
      .map((code) => error(`Error, ${code}`, code)),
    allowlist('Allowlist', { title: undefined, detail: undefined, button: undefined, link: undefined }),
    allowlist('Allowlist, own link', {
      title: 'Fieldnotes is in a closed test',
      detail: 'We let in new people every week.',
      button: 'Join the waiting list',
      link: 'https://fieldnotes.example/list',
    }),
    {
      caption: 'Login denied',
      screen: picturedView(loginDeniedScreen, LoginDeniedView, (press) => ({
        onStartOver: press('start over'),
      })),
    },
    {
      caption: 'Account not found',
      screen: picturedView(accountNotFoundScreen, AccountNotFoundView, (press) => ({
        onStartOver: press('start over'),
      })),
    },
    {
      caption: 'User limit',
      screen: picturedView(userLimitScreen, UserLimitView, (press) => ({ onStartOver: press('start over') })),
    },
  ],
}
