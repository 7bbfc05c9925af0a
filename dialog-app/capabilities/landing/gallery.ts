import type { ClientConfig } from '@latchkey/protocol'
import type { OfferedMethod } from '../../contract/login.ts'
import {
  type EntryPicture,
  type Picture,
  type Pictures,
  picturedEntry,
  picturedView,
  withTexts,
} from '../../contract/picture.ts'
import type { ShownElement } from '../../flow/screen.ts'
import { MethodRow, methodRows } from './gallery-rows.tsx'
import { LandingScreen } from './landing-screen.tsx'
import { ConnectOrCreateScreen } from './lazy/connect-or-create/screen.tsx'
import { connectOrCreateScreen } from './lazy/connect-or-create/screens.ts'
import { LogInAgainScreen, LogInOtherwiseScreen } from './lazy/log-in-again/screen.tsx'
import { logInAgainScreen, logInOtherwiseScreen } from './lazy/log-in-again/screens.ts'
import type { Overflow } from './lazy/options/layout.ts'
import { showOptions } from './lazy/options/options.ts'
import type { ShownOption } from './lazy/options/options-view.tsx'
import { landingScreen } from './screens.ts'
import { texts } from './texts.arb'

/** A logo that exceeds the maximum width. */
const wideLogo =
  'data:image/svg+xml;base64,' +
  btoa(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 120"><rect width="480" height="120" rx="30" fill="#2f7d5b"/><path d="M60 85V40l30 30 30-30v45M160 62h250" stroke="#fff" stroke-width="14" fill="none" stroke-linecap="round" stroke-linejoin="round"/></svg>',
  )
/** A square logo in the size of an app icon. */
const squareLogo =
  'data:image/svg+xml;base64,' +
  btoa(
    '<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512"><rect width="512" height="512" rx="112" fill="#5b3fd6"/><circle cx="256" cy="256" r="120" fill="none" stroke="#fff" stroke-width="48"/></svg>',
  )
const longWord = 'Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstelle'

const ownWords: ClientConfig = {
  appearance: {
    logo: wideLogo,
    landingHeader: 'Log in to Fieldnotes',
    loginMessage: 'Your observations are kept with your account, and are yours to take along.',
  },
}
const longWords: ClientConfig = {
  appearance: { landingHeader: longWord, loginMessage: `${longWord} ${longWord}` },
}

const openers: readonly ShownOption[] = [
  { kind: 'opener', opens: 'web2-overflow', says: 'otherSocials', isLastUsed: false },
  { kind: 'opener', opens: 'web3-overflow', says: 'aWallet', isLastUsed: false },
]
type LandingEntry = EntryPicture & { shows?: OfferedMethod['shows'] }

const unchanging = { subscribe: () => () => {}, version: () => 0 }

/** The layout of a LANDING that offers more than one field. */
function laidOut(
  entries: readonly ShownElement[],
  shown: readonly LandingEntry[],
  opening?: Overflow,
): ShownElement {
  const options = entries.map(
    (part, position): ShownOption => ({
      key: String(position),
      part,
      shows: shown[position]?.shows ?? 'field',
      isLastUsed: false,
    }),
  )
  const all = opening ? [...options, ...openers] : options
  const model = {
    ...unchanging,
    optionsOf: () => all,
    opening: () => opening,
    open() {},
    isOneGroup: false,
  }
  return showOptions(model, 'default')
}

const kinds = {
  landing: [landingScreen, LandingScreen],
  connectOrCreate: [connectOrCreateScreen, ConnectOrCreateScreen],
  logInAgain: [logInAgainScreen, LogInAgainScreen],
  logInOtherwise: [logInOtherwiseScreen, LogInOtherwiseScreen],
} as const

export const pictures: Pictures = {
  around(entries) {
    const picture = (
      [screen, View]: (typeof kinds)[keyof typeof kinds],
      caption: string,
      shown: readonly LandingEntry[],
      { opening, ...more }: Pick<Picture, 'config' | 'standalone'> & { opening?: Overflow } = {},
    ): Picture => ({
      caption,
      screen(onEvent, language) {
        const entries = shown.map(({ entry }) => entry(onEvent, language))
        const all = entries.length > 1 ? [laidOut(entries, shown, opening)] : entries
        const methods = { ...unchanging, entries: () => all }
        return withTexts(picturedView(screen, View, () => ({ methods }))(onEvent, language), all)
      },
      ...more,
    })
    type PictureArguments = Parameters<typeof picture> extends [infer _, ...infer Rest] ? Rest : never
    const landing = (...shown: PictureArguments) => picture(kinds.landing, ...shown)
    const connectOrCreate = (...shown: PictureArguments) => picture(kinds.connectOrCreate, ...shown)
    const row = (shown: (typeof methodRows)[number]): LandingEntry => ({
      shows: shown.shows ?? 'row',
      entry: picturedEntry(texts, MethodRow, () => shown),
    })
    const rows = methodRows.map(row)
    const plain = entries.filter(({ caption }) => caption === undefined)
    return [
      landing('Landing', plain),
      ...entries.flatMap((entry) =>
        entry.caption === undefined
          ? []
          : [landing(`Landing, ${entry.caption}`, [entry], entry.config && { config: entry.config })],
      ),
      landing('Landing, one row', rows.slice(0, 1)),
      landing('Landing, three methods', [...plain, ...rows.slice(0, 2)]),
      landing('Landing, six methods', [...plain, ...rows.slice(0, 5)]),
      landing('Landing, nine methods', [...plain, ...rows.slice(0, 8)]),
      landing('Landing, what a button leads to is on its way', [...plain, ...rows.slice(0, 2)], {
        opening: 'web2-overflow',
      }),
      landing('Landing, a field between rows', [...rows.slice(0, 2), ...plain, ...rows.slice(2, 4)]),
      landing('Landing, no method', []),
      landing('Landing, own words and logo', plain, { config: ownWords }),
      landing('Landing, square logo', plain, { config: { appearance: { logo: squareLogo } } }),
      landing('Landing, long words', plain, { config: longWords }),
      landing('Landing, standalone', plain, { standalone: true }),
      connectOrCreate('Connect or create', [...plain, ...rows.slice(0, 4)]),
      connectOrCreate('Connect or create, a wallet alone', rows.slice(3, 4)),
      connectOrCreate('Connect or create, no method', []),
      picture(kinds.logInAgain, 'Log in again', plain),
      picture(kinds.logInAgain, 'Log in again, several methods', [...plain, ...rows.slice(0, 2)]),
      picture(kinds.logInOtherwise, 'Log in otherwise', [...plain, ...rows.slice(0, 1)]),
      connectOrCreate('Connect or create, own words and logo', [...plain, ...rows.slice(2, 4)], {
        config: ownWords,
      }),
    ]
  },
}
