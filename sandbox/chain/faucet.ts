/** A faucet page for the sandbox chain, like those of test networks. */
import { type Route, readForm, send } from '../http.ts'
import { html, thirdPartyPage } from '../pages/layout.ts'

const policy = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'"
const address = /^0x[0-9a-fA-F]{40}$/
const coins = 1

const page = (body: string) =>
  thirdPartyPage('Faucet', `<h1>Faucet <small>in the sandbox</small></h1>${body}`)

export const faucetRoutes = (payOut: (address: string, coins: number) => Promise<void>): readonly Route[] => [
  {
    method: 'GET',
    path: /^\/faucet$/,
    handle: ({ response }) =>
      send(response, {
        type: html,
        content: page(
          '<form method="post"><label>Address <input name="address" required autocomplete="off"></label><button>Send me one coin</button></form>',
        ),
        headers: { 'content-security-policy': policy },
      }),
  },
  {
    method: 'POST',
    path: /^\/faucet$/,
    handle: async ({ request, response }) => {
      const recipient = (await readForm(request))?.get('address')?.trim() ?? ''
      const isAddress = address.test(recipient)
      if (isAddress) await payOut(recipient, coins)
      send(response, {
        type: html,
        status: isAddress ? 200 : 400,
        content: page(
          `<p>${isAddress ? 'It is on its way.' : 'This is no address.'}</p><p><a href="/chain">To the chain</a></p>`,
        ),
        headers: { 'content-security-policy': policy },
      })
    },
  },
]
