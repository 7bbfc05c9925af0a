import type { Widen } from '../../i18n/catalogue.ts'

export const english = { title: 'Log in or sign up' } as const
export type LandingTexts = Widen<typeof english>
