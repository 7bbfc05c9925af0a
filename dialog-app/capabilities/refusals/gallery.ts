import { type Picture, type Pictures, pictured } from '../../core/picture.ts'
import { anyOtherError, type ErrorScreenText, errorScreenTexts } from './error-text.ts'
import { accountNotFoundScreen, allowlistScreen, errorScreen, userLimitScreen } from './screens.ts'
import { english } from './texts.en.ts'

const saidByServer = 'Login with this method is switched off.'
const error = (caption: string, { title, detail = saidByServer, button }: ErrorScreenText): Picture => ({
  caption,
  screen: pictured(errorScreen, { title, detail, button }),
})

export const pictures: Pictures = {
  screens: [
    error('Error', anyOtherError),
    ...Object.entries(errorScreenTexts).map(([code, texts]) => error(`Error, ${code}`, texts)),
    { caption: 'Allowlist', screen: pictured(allowlistScreen, { ...english.allowlist, link: undefined }) },
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
