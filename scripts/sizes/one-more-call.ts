// node --conditions=latchkey-source scripts/sizes/one-more-call.ts
//
// What one more call of a capability costs the script that every customer's page loads, which is its row: the script
// is bundled as it is and with a row more, in memory. Prints the difference as JSON.

import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { type Sizes, sizesOf } from './weigh.ts'

/** Calls as they might come. */
const names = ['stakeTokens', 'exportHistory', 'nameDevice']

const place = { file: 'loader/calls/wallets.ts', rows: /\bconst walletRows\b[^=]*=\s*\{/ }

/** A plugin of the bundler that writes a row among the others, and what refuses a script without them. */
export const withCall = (name: string) => {
  let isWritten = false
  const plugin = {
    name: 'one-more-call',
    enforce: 'pre' as const,
    transform(code: string, id: string) {
      if (!id.endsWith(`/${place.file}`) || !place.rows.test(code)) return undefined
      isWritten = true
      return { code: code.replace(place.rows, (begin) => `${begin} ${name}: withoutCard,`), map: null }
    },
  } satisfies Plugin
  const refuseIfMissing = () => {
    if (!isWritten) throw new Error(`${place.file} has no ${place.rows}, or is not in the script`)
  }
  return { plugin, refuseIfMissing }
}

const script = { entry: 'start/script.ts', format: 'iife' } as const

/** One name compresses better than another by chance, so it is the middle one of three. */
export const costOfCall = async (): Promise<Sizes | undefined> => {
  const { bundle } = await import('../../loader/build/bundle.ts')
  const before = sizesOf(await bundle(script))
  const costs: Sizes[] = []
  for (const name of names) {
    const { plugin, refuseIfMissing } = withCall(name)
    const after = sizesOf(await bundle({ ...script, plugins: [plugin] }))
    refuseIfMissing()
    costs.push({
      raw: after.raw - before.raw,
      gzip: after.gzip - before.gzip,
      brotli: after.brotli - before.brotli,
    })
  }
  return costs.sort((one, two) => one.brotli - two.brotli)[Math.floor(costs.length / 2)]
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  console.log(JSON.stringify(await costOfCall()))
