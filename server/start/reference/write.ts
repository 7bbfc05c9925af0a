/** `npm run reference`: writes the generated pages of docs/reference/. */
import { writeFileSync } from 'node:fs'
import { referencePages } from './pages.ts'

for (const { path, render } of referencePages) {
  writeFileSync(new URL(`../../../${path}`, import.meta.url), render())
  console.log(`Wrote ${path}`)
}
