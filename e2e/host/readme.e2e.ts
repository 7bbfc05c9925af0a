/** Runs the code of the README and of docs/backend.md as printed. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { appId, type Stack } from '../stack/stack.ts'
import { expect, test } from '../test.ts'

const root = join(import.meta.dirname, '../..')

/** Returns the only block of a page with these words, with the addresses and the app of this stack. */
function readBlock(page: string, words: string, id: string, { dialogOrigin, serverPort }: Stack): string {
  const [block, ...others] = [...readFileSync(join(root, page), 'utf8').matchAll(/```\w+\n(.*?)```/gs)]
    .map(([, text = '']) => text)
    .filter((text) => text.includes(words))
  if (!block || others.length > 0) throw new Error(`${page} must have one block with ${words}`)
  return block
    .replaceAll(/http:\/\/dialog\.localhost:4000|https:\/\/dialog\.example/g, dialogOrigin)
    .replaceAll('http://127.0.0.1:4000', `http://127.0.0.1:${serverPort}`)
    .replaceAll('YOUR_APP_ID', id)
}

test('the page of the README logs a user in', async ({ host, inbox, page, stack }) => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  if (typeof bound !== 'object' || !bound) throw new Error('The page server has no port')
  const origin = `http://localhost:${bound.port}`
  const output = await stack.app('create', '--name', 'My app', '--origin', origin)
  const [, id = ''] = /App id:\s+(\S+)/.exec(output) ?? []
  const html = readBlock('README.md', '<button id="login">', id, stack)
  try {
    await page.goto(origin)
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(host.emailField).toBeFocused()
    await host.askForCode(inbox.address)
    await host.typeCode(await inbox.nextCode())
    await expect(page.getByText(`Hello ${inbox.address}`)).toBeVisible()
  } finally {
    server.close()
    server.closeAllConnections()
  }
})

test('the backend code returns the user of a token, and rejects a token of another app', async ({
  host,
  inbox,
  page,
  stack,
}) => {
  await host.open()
  await host.logIn(inbox)
  await host.openOneLine()
  const [token, userId] = await page.evaluate<string[]>(
    'Promise.all([latchkey.getAccessToken(), latchkey.getUser().then(({ id }) => id)])',
  )
  const verifyFor = async (id: string) => {
    const lines = readBlock('docs/backend.md', "from 'jose'", id, stack)
    const script = `${lines}\nconsole.log(await verifyAccessToken(process.argv[1]))`
    // A separate process cannot resolve names or packages through this one.
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', script, '--', String(token)],
      { cwd: join(root, 'server'), env: {} },
    )
    return stdout.trim()
  }
  expect(await verifyFor(appId)).toBe(userId)
  await expect(verifyFor('another0000000000000000001')).rejects.toThrow('aud')
})
