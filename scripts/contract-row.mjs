// node --conditions=latchkey-source scripts/contract-row.mjs
//
// What one more row of the host contract costs the script that every customer's page loads: the script is bundled as
// it is and with a row more, in memory. Prints the difference as JSON.

import { pathToFileURL } from 'node:url'
import { sizesOf } from './weigh.mjs'

/** Calls as they might come: a name, and an answer of two fields. */
const rows = [
  { name: 'linkEmail', answer: '{ address: v.string(), linkedAt: v.number() }' },
  { name: 'exportWallet', answer: '{ address: v.string(), exported: v.boolean() }' },
  { name: 'enrollMfa', answer: '{ method: v.string(), enrolledAt: v.number() }' },
]

/** Where a row is written: the call itself, and what the loader hears as its answer. */
const places = [
  {
    file: 'protocol/host/calls.ts',
    table: /\bchild: \{/,
    entry: ({ name }) => `${name}: { policy: 'needs-user' },`,
  },
  {
    file: 'protocol/host/heard-by-loader.ts',
    table: /\banswers: \{/,
    entry: ({ name, answer }) => `${name}: v.object(${answer}),`,
  },
]

/** A plugin of the bundler that writes a row into the contract, and what refuses a contract without it. */
export const withRow = (row) => {
  const missing = new Set(places)
  const plugin = {
    name: 'one-more-row',
    enforce: 'pre',
    transform(code, id) {
      const place = places.find(({ file, table }) => id.endsWith(`/${file}`) && table.test(code))
      if (place === undefined) return undefined
      missing.delete(place)
      return { code: code.replace(place.table, (begin) => `${begin} ${place.entry(row)}`), map: null }
    },
  }
  const refuseIfMissing = () => {
    for (const { file, table } of missing) throw new Error(`${file} has no ${table}, or is not in the script`)
  }
  return { plugin, refuseIfMissing }
}

const script = { entry: 'script.ts', format: 'iife' }

/** One row compresses better than another by chance, so it is the middle one of three. */
export const costOfRow = async () => {
  const { bundle } = await import('../loader/build/bundle.ts')
  const before = sizesOf(await bundle(script))
  const costs = []
  for (const row of rows) {
    const { plugin, refuseIfMissing } = withRow(row)
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

if (import.meta.url === pathToFileURL(process.argv[1]).href) console.log(JSON.stringify(await costOfRow()))
