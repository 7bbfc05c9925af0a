// npm run docs: builds the documentation site in site/ and serves it on this machine. No page loads from the network.
//   npm run docs -- build   only builds it, to site/dist

import { endWithWords, say } from '../setup.mjs'
import { buildSite, serveSite } from './build-site.ts'

const [command = 'serve'] = process.argv.slice(2)
if (command !== 'serve' && command !== 'build') endWithWords('Usage: npm run docs [-- build]')

await buildSite()
if (command === 'build') {
  say('Built site/dist')
} else {
  const { address } = await serveSite()
  say(`The documentation: ${address} (press Ctrl-C to stop it)`)
}
