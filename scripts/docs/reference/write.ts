/** `npm run reference`: writes the generated pages of docs/reference/. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../setup.mjs'
import { referencePages } from './pages.ts'

for (const { path, render } of referencePages) {
  writeFileSync(join(root, path), render())
  console.log(`Wrote ${path}`)
}
