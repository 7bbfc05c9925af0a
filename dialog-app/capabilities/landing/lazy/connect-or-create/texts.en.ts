import type { Widen } from '../../../../i18n/catalogue.ts'
import { english as landing } from '../../texts.en.ts'

export const english = {
  ...landing,
  title: 'Connect or create a wallet',
  lead: 'Connect a wallet that you have, or log in and get one.',
} as const
export type ConnectOrCreateTexts = Widen<typeof english>
