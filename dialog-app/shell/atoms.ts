/** What the shell draws: atoms that the core writes in its store, and that each part of the shell reads for itself. */
import { atom } from 'jotai/vanilla'
import { unwrap } from 'jotai/vanilla/utils'
import { closedView, type View } from '../flow/view.ts'
import {
  appName,
  logoUrl,
  privacyUrl,
  requiresTerms,
  type Settings,
  termsUrl,
  type Viewport,
} from '../host/settings.ts'
import { toLanguage } from '../i18n/languages.ts'
import { texts as shellTexts } from '../i18n/shell-texts.arb'

export const viewAtom = atom<View>(closedView)
/** The settings of the host; undefined in a store that nobody has put any into. */
export const settingsAtom = atom<Settings>()
/** The room for the card changes ten times a second while a keyboard moves, so only what stands in it reads it. */
export const viewportAtom = atom<Viewport>()

/**
 * The language that the card speaks: the host's once its texts have come, and the one before until then. Nothing is
 * taken down meanwhile, so what was typed stays, and so does the focus.
 */
export const languageAtom = unwrap(
  atom((get) => {
    const language = toLanguage(get(settingsAtom)?.config.intl?.locale)
    const { screen } = get(viewAtom)
    if (shellTexts.isLoaded(language) && screen?.isLoaded(language) !== false) return language
    return Promise.allSettled([shellTexts.load(language), screen?.load(language)]).then(() => language)
  }),
  (before) => before,
)

export type LegalLinks = { terms: string; privacy: string }

/** What the app put on its dialog. A setting of the host wins over the server's. */
export type Branding = {
  name: string
  logoUrl: string | undefined
  landingHeader: string | undefined
  loginMessage: string | undefined
  showsDirectInputs: boolean
  /** Both links, where logging in means agreeing; an app that asks on a screen of its own has none here. */
  legal: LegalLinks | undefined
}

const noBranding: Branding = {
  name: '',
  logoUrl: undefined,
  landingHeader: undefined,
  loginMessage: undefined,
  showsDirectInputs: true,
  legal: undefined,
}

export const brandingAtom = atom((get): Branding => {
  const settings = get(settingsAtom)
  if (!settings) return noBranding
  const { appearance } = settings.config
  const terms = termsUrl(settings)
  const privacy = privacyUrl(settings)
  return {
    name: appName(settings),
    logoUrl: logoUrl(settings),
    landingHeader: appearance?.landingHeader || undefined,
    loginMessage: appearance?.loginMessage || undefined,
    showsDirectInputs: appearance?.hideDirectWeb2Inputs !== true,
    legal: terms && privacy && !requiresTerms(settings) ? { terms, privacy } : undefined,
  }
})

/** What the colours of the card are derived from, but for the scheme that the person prefers. */
export const accentAtom = atom((get) => {
  const settings = get(settingsAtom)
  return settings?.config.appearance?.accentColor ?? settings?.app.accentColor
})
export const themeAtom = atom((get) => {
  const settings = get(settingsAtom)
  const appearance = settings?.config.appearance
  return appearance?.theme ?? appearance?.palette?.colorScheme ?? settings?.app.theme
})

const noOrigins: readonly string[] = []
export const ownOriginsAtom = atom((get) => get(settingsAtom)?.ownOrigins ?? noOrigins)
export const hostColorSchemeAtom = atom((get) => get(settingsAtom)?.hostColorScheme ?? 'normal')
