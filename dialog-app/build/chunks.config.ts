/**
 * Which script has which source. A capability has one of its own, which loads with its first use; what all share is
 * cut by when it is wanted, since a page that loads a hundred small scripts waits for each.
 */
import type { Rolldown } from 'vite'

/** Parts that neither the shell nor a login draws; they come with the first capability that does. */
const laterParts =
  '(?:address|approv|banner|button|copy-text|facts|failure|later-icon|leave-question|status-seal|visibility|waiting|wallet-face)'
/** A provider's mark comes with the method that shows it. */
const parts = '/dialog-app/(?:face|ui)/(?!marks/)'

export const chunks: Rolldown.CodeSplittingGroup[] = [
  { name: 'core', tags: ['$initial'], priority: 6 },
  { name: 'dialog', test: /\/start-dialog\.ts$/, priority: 5 },
  { name: 'wallet', test: /\/start-wallet\.ts$/, priority: 4 },
  { name: 'face', test: new RegExp(`${parts}(?!${laterParts})|/i18n/own-words\\.ts$`), priority: 3 },
  { name: 'parts', test: new RegExp(parts), priority: 2 },
  { name: capabilityOf, priority: 1 },
]

/** Another language than English is a script of its own, and so is what few ever need. */
function capabilityOf(moduleId: string): string | null {
  return /\/capabilities\/([^/]+)\/(?!texts\.[a-z]{2}\.ts|later-)|$/.exec(moduleId)?.[1] ?? null
}
