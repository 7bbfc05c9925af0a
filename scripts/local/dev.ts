// npm run dev: like npm start, but rebuilds on changes. The pages are built and served with production headers,
// because the policies are part of the product. A change is visible after a second or two and a reload.

import { watch } from 'node:fs'
import { join } from 'node:path'
import { build } from '../builds/build.ts'
import { root, say } from '../setup.mjs'
import { localPackages, runLocalProduct } from './local.ts'

const watched = ['protocol', ...localPackages]
/** Editors write several files at once, so their changes are combined into one build. */
const settleMs = 150

let building = false
let again = false
const rebuild = async () => {
  again = true
  if (building) return
  building = true
  while (again) {
    again = false
    const { ok, results } = await build({ only: localPackages, staleOnly: true, extent: 'local' })
    if (results.length > 0)
      say(ok ? '  reload the page to see the change' : '  the build failed, so the pages did not change')
  }
  building = false
}

const follow = () => {
  let pending: NodeJS.Timeout | undefined
  for (const folder of watched) {
    watch(join(root, folder), { recursive: true }, (_event, file) => {
      if (file === null || /(^|\/)(dist|node_modules|\.)|\.test\.tsx?$/.test(file)) return
      clearTimeout(pending)
      pending = setTimeout(rebuild, settleMs)
    })
  }
}

await runLocalProduct({
  isWatching: true,
  onRunning: () => {
    follow()
    say(
      `Watching the sources. When ${watched.join(', ')} change, they are built again: reload the page then.`,
    )
    say('The server, the sandbox and the demo restart by themselves. Press Ctrl-C to stop everything.')
  },
})
