/** What the app put on its dialog, for screens and shell. A setting of the host wins over the server's. */
import { createContext, use } from 'react'
import { appName, requiresTerms, type Settings } from '../core/settings.ts'

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
  const { app, config } = settings
  const { appearance, legal } = config
  const terms = legal?.termsAndConditionsUrl ?? app.termsAndConditionsUrl
  const privacy = legal?.privacyPolicyUrl ?? app.privacyPolicyUrl
  return {
    name: appName(settings),
    logoUrl: (appearance?.logo ?? app.logoUrl) || undefined,
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
