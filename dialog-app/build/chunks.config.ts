/**
 * Which script has which source. A capability has one of its own, which loads with its first use; what all share is
 * cut by when it is wanted, since a page that loads a hundred small scripts waits for each.
 */
import type { Rolldown } from 'vite'

/** Parts that neither the shell nor a login draws; they come with the first capability that does. */
const laterParts =
  '(?:accordion|address|approv|asker|banner|button|checkbox|choice|cop(?:ied|y-row|y-text)|facts|failure|group\\.tsx|info-button|later-icon|leave-question|mark-url|marks/|option-link|shown-(?:message|parts)|small-dialog|status-seal|still-row|success|text-field|visibility|waiting|wallet-face)'
/** A provider's mark comes with the method that shows it; how any mark is drawn, with the parts. */
const parts = '/dialog-app/(?:face|ui)/(?!marks/(?!mark[.-]))'
/** Its rules of every country's numbers weigh as much as the rest of a card, and come with the first such field. */
const phone = 'phone/'
/** What few methods draw, and its library; and what else those methods share. */
const qr = '(?:awaiting-phone|qr)\\.'

export const chunks: Rolldown.CodeSplittingGroup[] = [
  { name: 'core', tags: ['$initial'], priority: 6 },
  // The capabilities' list and what draws them are asked for together, always.
  {
    name: 'face',
    test: new RegExp(
      `/start-dialog\\.ts$|${parts}(?!${laterParts}|${phone}|${qr})|/(?:i18n/own-words|core/device)\\.ts$`,
    ),
    priority: 5,
  },
  // The small objects of what an app may have on or not, none of which takes its code along.
  { name: 'optional', test: /\/capabilities\/optional\.ts$/, priority: 4.5 },
  // The same of what is for users; by itself only what sorts after it would come along.
  { name: 'for-users', test: /\/capabilities\/for-users\.ts$/, priority: 1.3 },
  { name: 'wallet', test: /\/(?:start-wallet|core\/wallet-obstacles)\.ts$/, priority: 6.5 },
  { name: 'phone', test: new RegExp(`${parts}${phone}`), priority: 2.5 },
  { name: 'parts', test: new RegExp(`${parts}(?!${qr})`), priority: 2 },
  // After the parts, which it is made of.
  {
    name: 'qr',
    test: new RegExp(
      `${parts}${qr}|/node_modules/uqr/|/protocol/api/siwe\\.limits\\.ts$|/core/phone-(?:app|poll)\\.ts$`,
    ),
    priority: 1.9,
  },
  // The page of a call that waits asks for these whatever the app has on, and one script of them compresses better.
  { name: 'entrance', test: ofCapability('landing|email|codes'), priority: 1.5 },
  // After what LANDING always has, so that it takes nothing of that along.
  {
    name: 'options',
    test: /\/landing\/later-(?:layout|no-method|options|texts\.(?:en\.)?ts)/,
    priority: 1.2,
  },
  { name: 'connect-or-create', test: /\/landing\/later-connect-or-create-(?!texts\.ar)/, priority: 1.2 },
  // What several ways to log in share, and what each of them asks the server with.
  {
    name: 'window-login',
    test: /\/window-login\/(?!texts\.ar)|\/protocol\/api\/(?:relay|oauth\.limits)\.ts$/,
    priority: 1.1,
  },
  // What asks the browser's authenticators, for whichever capability wants that first; in which words, and its mark.
  {
    name: 'webauthn',
    test: /\/dialog-app\/webauthn\/(?!window\/)|\/protocol\/api\/passkey\.ts$|\/ui\/marks\/passkey\.ts$|\/node_modules\/@simplewebauthn\//,
    priority: 1.1,
  },
  // The client of a relay weighs more than the rest of the dialog together.
  { name: 'walletconnect', test: /\/siwe\/walletconnect\/(?!open\.ts)/, priority: 1.1 },
  { name: capabilityOf, priority: 1 },
]

/** Another language than English is a script of its own, and so is what few ever need. */
function ofCapability(names: string): RegExp {
  return new RegExp(
    `(?:/capabilities/|/protocol/api/)(${names})[./](?!texts\\.[a-z]{2}\\.ts|(?:[a-z-]+/)?later-)`,
  )
}

function capabilityOf(moduleId: string): string | null {
  return ofCapability('[^/]+').exec(moduleId)?.[1] ?? null
}
