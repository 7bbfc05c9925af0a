/** The state that the shell draws: atoms that the core writes and each part of the shell reads. */
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
/** The host settings. Undefined until the core has stored them. */
export const settingsAtom = atom<Settings>()
/** The space for the card. Only `Frame` reads it, because it changes ten times a second while a keyboard moves. */
export const viewportAtom = atom<Viewport>()

/**
 * The language of the card. A new host language applies once its texts have loaded. Until then the previous one stays
 * on screen, which keeps the typed text and the focus.
 */
export const languageAtom = unwrap(
  atom((get) => {
    const language = toLanguage(get(settingsAtom)?.config.intl?.locale)
    const { screen } = get(viewAtom)
    if (shellTexts.isLoaded(language) && screen?.isLoaded(language) !== false) return language
    return Promise.allSettled([shellTexts.load(language), screen?.load(language)]).then(() => language)
  }),
  (previous) => previous,
)

export type LegalLinks = { terms: string; privacy: string }

/** The branding of the app. A host setting takes precedence over the server's. */
export type Branding = {
  name: string
  logoUrl: string | undefined
  landingHeader: string | undefined
  loginMessage: string | undefined
  showsDirectInputs: boolean
  /** The links of the consent line. Undefined if the app asks for consent on a separate screen. */
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

/** The accent colour. `Frame` derives the colours from it, the theme and the user's preferred colour scheme. */
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
