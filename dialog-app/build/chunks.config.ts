/**
 * Which script has which source. A capability has one of its own, which loads with its first use; what all share is
 * cut by when it is wanted, since a page that loads a hundred small scripts waits for each.
 */
import type { Rolldown } from 'vite'

/** Parts that neither the shell nor a login draws; they come with the first capability that does. */
const laterParts =
  '(?:accordion|address|approv|asker|banner|button|checkbox|choice|cop(?:ied|y-row|y-text)|facts|failure|group\\.tsx|info-button|later-icon|leave-question|lost|mark-url|marks/|option-link|show-all|shown-(?:message|parts)|small-dialog|status-seal|still-row|success|text-field|visibility|waiting|wallet-face)'
/** A provider's mark comes with the method that shows it; how any mark is drawn, with the parts. */
const parts = '/dialog-app/(?:face|ui)/(?!marks/(?!mark[.-]))'
/** Its rules of every country's numbers weigh as much as the rest of a card, and come with the first such field. */
const phone = 'phone/'
/** What few methods draw, and its library; and what else those methods share. */
const qr = '(?:awaiting-phone|qr)\\.'

/** The first that a source fits takes it, and whatever that imports which none before has taken. */
const inOrder: readonly Omit<Rolldown.CodeSplittingGroup, 'priority'>[] = [
  { name: 'core', tags: ['$initial'] },
  // The capabilities' list and what draws them are asked for together, always.
  {
    name: 'face',
    test: new RegExp(
      `/start-dialog\\.ts$|${parts}(?!${laterParts}|${phone}|${qr})|/(?:i18n/own-words|core/device)\\.ts$`,
    ),
  },
  { name: 'phone', test: new RegExp(`${parts}${phone}`) },
  { name: 'parts', test: new RegExp(`${parts}(?!${qr})`) },
  // After the parts, which it is made of.
  {
    name: 'qr',
    test: new RegExp(
      `${parts}${qr}|/node_modules/uqr/|/protocol/api/siwe\\.limits\\.ts$|/core/phone-(?:app|poll)\\.ts$`,
    ),
  },
  // The page of a call that waits asks for these whatever the app has on, and one script of them compresses better.
  { name: 'entrance', test: ofCapability('landing|email|codes') },
  // What several ways to log in share, and what each of them asks the server with.
  {
    name: 'window-login',
    test: /\/window-login\/(?!texts\.ar)|\/protocol\/api\/(?:relay|cloud-windows|oauth(?:\.limits)?)\.ts$|\/client-type\.ts$/,
  },
  // Small things that ways to log in share, which would else come along with the wallet.
  {
    name: 'shared',
    test: /\/protocol\/(?:entities|host\/loosely)|\/dialog-app\/core\/(?:login|chains|require-user)\.ts$/,
  },
  { name: 'wallet', test: /\/(?:start-wallet|core\/wallet-obstacles)\.ts$/ },
  // The small objects of what is for users; by itself only what sorts after it would come along.
  { name: 'for-users', test: /\/capabilities\/for-users\.ts$/ },
  // What the flows of several capabilities for users share would else come along with whichever sorts first.
  { name: 'flows', test: /\/dialog-app\/core\/|\/dialog-app\/i18n\/(?:approval|verification)\.en\.ts$/ },
  // What an app may have on or not, none of which takes its code along, and how LANDING lays it out. After what LANDING
  // always has, so that it takes nothing of that along.
  {
    name: 'optional',
    test: /\/capabilities\/optional\.ts$|\/landing\/later-(?:layout|no-method|options|texts\.(?:en\.)?ts)/,
  },
  { name: 'connect-or-create', test: /\/landing\/later-connect-or-create-(?!texts\.ar)/ },
  // What asks the browser's authenticators, for whichever capability wants that first; in which words, and its mark.
  {
    name: 'webauthn',
    test: /\/dialog-app\/(?:webauthn\/(?!window\/)|ui\/marks\/passkey)|\/protocol\/api\/passkey(?:\.limits)?\.ts$|\/node_modules\/@simplewebauthn\//,
  },
  { name: capabilityOf },
  // The client of a relay weighs more than the rest of the dialog together. After all that it shares with others.
  { name: 'walletconnect', test: /\/siwe\/walletconnect\/(?!open\.ts)/ },
]
export const chunks: Rolldown.CodeSplittingGroup[] = inOrder.map((group, position) => ({
  ...group,
  priority: inOrder.length - position,
}))

/** Another language than English is a script of its own, and so is what few ever need. */
function ofCapability(names: string): RegExp {
  return new RegExp(
    `(?:/capabilities/|/protocol/api/)(${names})[./](?!texts\\.[a-z]{2}\\.ts|(?:[a-z-]+/)?later-|walletconnect/(?!open\\.ts))`,
  )
}

function capabilityOf(moduleId: string): string | null {
  return ofCapability('[^/]+').exec(moduleId)?.[1] ?? null
}
