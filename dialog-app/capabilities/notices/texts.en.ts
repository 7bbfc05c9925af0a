import type { Widen } from '../../i18n/catalogue.ts'

const notMine = 'It was not me: take it back'
const ifNotYou =
  'If this was not you, somebody else is using your account: take it back, which logs you out everywhere.'

export const english = {
  title: 'Was this you?',
  asked: {
    recovered: {
      happened: (when: string, _name: string) => `Your wallet was opened on a new device on ${when}.`,
      ifNotYou:
        'If this was not you, somebody else is using your account: log out everywhere, log in again, and move what is in the wallet to another one.',
      notMine: 'It was not me: log out everywhere',
    },
    account: {
      happened: (when: string, name: string) =>
        `${name} was added to your account on ${when}. Whoever has it can log in as you.`,
      ifNotYou,
      notMine,
    },
    factor: {
      happened: (when: string, name: string) =>
        `${name} was added to your account on ${when}. It is asked for when your wallet is used.`,
      ifNotYou,
      notMine,
    },
  },
  mine: 'It was me',
  answering: 'One moment',
  failed: 'That did not work. Try again.',
  ended: {
    logged_out: {
      title: 'You are logged out everywhere',
      detail: 'Log in again, and move what is in your wallet to another one.',
    },
    taken_back: {
      title: 'It was taken back',
      detail: 'You are logged out everywhere. Log in again, and look at what else was changed.',
    },
    last_way_in: {
      title: 'There is no other way in',
      detail:
        'You are logged out everywhere, but this is the only way to log in that is left, so it stays. Write to the people who run the app.',
    },
    address_of_another: {
      title: 'This address is in use',
      detail:
        'You are logged out everywhere, but what was there before belongs to another account by now. Write to the people who run the app.',
    },
  },
  close: 'Close',
} as const
export type NoticeTexts = Widen<typeof english>
