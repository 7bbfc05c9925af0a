import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { contentHash } from '../../kernel/built-files.ts'
import { collectExpiryRules } from '../../kernel/capability.ts'
import { cleanUp } from '../../kernel/db/cleanup.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { createApp } from '../../start/app.ts'
import { writeBuiltPages } from '../../testing/built-pages.ts'
import { type TestContext, testContext } from '../../testing/context.ts'
import { loaders } from './capability.ts'
import { createLoaderStorage } from './loaders.ts'

const built = [writeBuiltPages(), writeBuiltPages()] as const
afterAll(() => {
  for (const { remove } of built) remove()
})

const script = (build: string) => `window.latchkey={};// ${build}`
const address = (code: string, name = 'loader.js') => `/loader/${contentHash(code)}/${name}`

forEachEngine((database) => {
  /** Starts a server on the test's database, with its own loader build. */
  async function startServer(number: 0 | 1, code: string) {
    const pages = built[number]
    writeFileSync(join(pages.loaderDist, 'loader.js'), code)
    for (const ending of ['.br', '.gz']) rmSync(join(pages.loaderDist, `loader.js${ending}`), { force: true })
    const config = { ...context.config, ...pages }
    const server = createApp({ ...context, config }, { isMigrated: async () => true })
    return {
      store: createLoaderStorage({ ...context, config }),
      get: async (path: string, encoding = '') => {
        const host = 'dialog.localhost:4000'
        return server.request(`http://${host}${path}`, { headers: { host, 'accept-encoding': encoding } })
      },
    }
  }
  const files = () => database().db.selectFrom('loader_files').selectAll().execute()
  let context: TestContext
  beforeEach(async () => {
    context = await testContext(database())
    await database().db.deleteFrom('loader_files').execute()
  })

  test('serves a loader that another build stored, compressed and uncompressed', async () => {
    const [one, other] = [await startServer(0, script('one')), await startServer(1, script('other'))]
    await one.store()
    const answer = await other.get(address(script('one')))
    expect([answer.status, await answer.text()]).toEqual([200, script('one')])
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    const compressed = await other.get(address(script('one')), 'br')
    expect(compressed.headers.get('content-encoding')).toBe('br')
    expect(brotliDecompressSync(Buffer.from(await compressed.arrayBuffer())).toString()).toBe(script('one'))
    expect((await other.get(address(script('one'), 'loader-more.js'))).status).toBe(404)
    expect((await other.get(address('unknown'))).status).toBe(404)
  })

  test('does not serve a stored file that does not match its hash', async () => {
    const [one, other] = [await startServer(0, script('one')), await startServer(1, script('other'))]
    await one.store()
    const [stored] = (await files()).filter(({ name }) => name === 'loader-more.js')
    for (const content of [stored?.content ?? expect.unreachable(), 'bm8gYnJvdGxp', '']) {
      await database()
        .db.updateTable('loader_files')
        .set({ content })
        .where('name', '=', 'loader.js')
        .execute()
      expect((await other.get(address(script('one')))).status).toBe(404)
    }
  })

  test('stores a build once, and again when another server starts with it', async () => {
    const first = await startServer(0, script('one'))
    await first.store()
    const before = await files()
    expect(before.map(({ name }) => name).sort()).toEqual(['latchkey.js', 'loader-more.js', 'loader.js'])
    context.clock.advanceSeconds(10)
    await first.store()
    expect(await files()).toEqual(before)
    const again = await startServer(0, script('one'))
    context.clock.advanceSeconds(10)
    await again.store()
    expect((await files()).map(({ shipped_at }) => shipped_at)).toEqual(
      before.map(({ shipped_at }) => shipped_at + 20),
    )
  })

  test('keeps the 100 most recently shipped files in the database', async () => {
    const { store } = await startServer(0, script('newest'))
    const row = (number: number) => ({
      hash: contentHash(randomBytes(16)),
      name: `${number}`,
      content: '',
      shipped_at: number,
    })
    await database()
      .db.insertInto('loader_files')
      .values(Array.from({ length: 101 }, (_, number) => row(number)))
      .execute()
    await store()
    await cleanUp(database(), context.clock, collectExpiryRules([loaders]))
    const left = await files()
    expect(left).toHaveLength(100)
    expect(Math.min(...left.map(({ shipped_at }) => shipped_at))).toBe(4)
    expect(left.map(({ hash }) => hash)).toContain(contentHash(script('newest')))
  })
})
