/** What the app put on its dialog, for screens and shell. A setting of the host wins over the server's. */
import { createContext, use } from 'react'
import { appName, logoUrl, privacyUrl, requiresTerms, type Settings, termsUrl } from '../host/settings.ts'

export type LegalLinks = { readonly terms: string; readonly privacy: string }

export type Branding = {
  readonly name: string
  readonly logoUrl: string | undefined
  readonly landingHeader: string | undefined
  readonly loginMessage: string | undefined
  readonly showsDirectInputs: boolean
  /** Both links, where logging in means agreeing; an app that asks on a screen of its own has none here. */
  readonly legal: LegalLinks | undefined
}

export function brandingOf(settings: Settings): Branding {
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
}

export const BrandingContext = createContext<Branding>({
  name: '',
  logoUrl: undefined,
  landingHeader: undefined,
  loginMessage: undefined,
  showsDirectInputs: true,
  legal: undefined,
})
export const useBranding = () => use(BrandingContext)
