/** The hooks on React 18, with the page and path of react.e2e.ts. */
import { join } from 'node:path'
import { onReact, wholePath } from '../react/on-react.ts'
import { expect } from '../test.ts'

const own = join(import.meta.dirname, 'node_modules')
const test = onReact([{ find: /^(react|react-dom)(?=$|\/)/, replacement: `${own}/$1` }])

test('a page on React 18 logs in, signs, reloads and logs out, in StrictMode and with one frame', async ({
  page,
  host,
  inbox,
  openPage,
}) => {
  await wholePath({ page, host, inbox, openPage })
  expect(await page.evaluate('reactVersion')).toMatch(/^18\./)
})
