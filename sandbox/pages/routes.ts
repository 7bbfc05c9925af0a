import { readFileSync } from 'node:fs'
import { type Route, send } from '../http.ts'
import { html, pagePolicy, sandboxPage } from './layout.ts'

/** Creates a page route that renders its body for each request. */
export const pageRoute = (path: RegExp, body: () => string | Promise<string>): Route => ({
  method: 'GET',
  path,
  handle: async ({ response }) =>
    send(response, {
      type: html,
      content: await body(),
      headers: { 'content-security-policy': pagePolicy },
    }),
})

const file = (name: string, type: string): Route => {
  const content = readFileSync(new URL(`./page/${name}`, import.meta.url))
  return {
    method: 'GET',
    path: new RegExp(`^/${name.replace('.', String.raw`\.`)}$`),
    handle: ({ response }) => send(response, { type, content }),
  }
}

/** The third parties that the sandbox plays, and where to find them. */
const thirdParties = [
  [
    'Google, Apple, Discord, GitHub, LinkedIn, Spotify, Instagram, Twitter, TikTok',
    'Their window opens at a login. Choose Ada, Ben or Cleo, or type any name: each name is a person, and always the same one. The window also lists what may go wrong.',
  ],
  ['Telegram', 'Its window confirms a login for the bot @FieldnotesBot.'],
  [
    'Farcaster',
    'Scan or follow the code of a login or a signer: the page of a phone opens and asks who approves.',
  ],
  [
    'Google Drive and iCloud',
    'Keep what brings a wallet back. Their window opens when a user chooses them for recovery.',
  ],
  ['Twilio', 'Sends codes and texts by SMS. They arrive in the inbox, under the number.'],
  ['MoonPay', 'Takes payments by cards that are none. What is bought arrives on the chain of this machine.'],
  ['Turnstile', 'Gives out and checks captchas, for an app that asks for one.'],
  ['A price feed', 'Says what a coin is worth: 1 ETH is 2,500 dollars until you say otherwise.'],
] as const

const providersPage = () =>
  sandboxPage({
    here: '/providers',
    lead: 'Nobody here is real, and nobody needs an account. These are the services that the product asks, and how to play them.',
    body: `<ul class="rows">${thirdParties.map(([name, text]) => `<li><h2>${name}</h2><p>${text}</p></li>`).join('')}</ul>`,
  })

export const pageRoutes: readonly Route[] = [
  file('sandbox.css', 'text/css; charset=utf-8'),
  file('live.js', 'text/javascript; charset=utf-8'),
  pageRoute(/^\/providers$/, providersPage),
]
