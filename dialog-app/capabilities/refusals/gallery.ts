import { type ErrorCode, errorCodes, LatchkeyError } from '@latchkey/protocol'
import { type Picture, type Pictures, pictured } from '../../contract/picture.ts'
import type { AllowlistState } from './allowlist-text.ts'
import { errorScreenTexts, errorState } from './error-text.ts'
import { accountNotFoundScreen, allowlistScreen, errorScreen, userLimitScreen } from './screens.ts'

const saidByServer = 'Login with this method is switched off.'
const error = (caption: string, code: ErrorCode): Picture => ({
  caption,
  screen: pictured(errorScreen, errorState(new LatchkeyError(code, saidByServer))),
})

const ownWords: AllowlistState = { title: undefined, detail: undefined, button: undefined, link: undefined }

export const pictures: Pictures = {
  screens: [
    error('Error', 'internal_error'),
    ...errorCodes
      .filter((code) => errorScreenTexts.byCode[code])
      .map((code) => error(`Error, ${code}`, code)),
    { caption: 'Allowlist', screen: pictured(allowlistScreen, ownWords) },
    {
      caption: 'Allowlist, own link',
      screen: pictured(allowlistScreen, {
        title: 'Fieldnotes is in a closed test',
        detail: 'We let in new people every week.',
        button: 'Join the waiting list',
        link: 'https://fieldnotes.example/list',
      }),
    },
    { caption: 'Account not found', screen: pictured(accountNotFoundScreen, {}) },
    { caption: 'User limit', screen: pictured(userLimitScreen, {}) },
  ],
}
