/** Server upgrades and rollbacks under pages that pin their loader. */
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from '@playwright/test'
import { reduceDrawing } from '../../scripts/local/drawing.ts'
import { appId, type Stack } from '../stack/stack.ts'
import { expect, test } from '../test.ts'

const builtFolder = fileURLToPath(new URL('../../loader/dist/', import.meta.url))
const built = (name: string) => readFileSync(join(builtFolder, name), 'utf8')
const hash = (algorithm: 'sha256' | 'sha384', code: string) => createHash(algorithm).update(code)
const folderName = (code: string) => hash('sha256', code).digest('base64url').slice(0, 22)
const integrity = (algorithm: 'sha256' | 'sha384', code: string) =>
  `${algorithm}-${hash(algorithm, code).digest('base64')}`

/** Writes a build of the same version with other bytes. Returns its pinned script tag. */
function buildOther(folder: string, dialogOrigin: string) {
  const more = built('loader-more.js')
  const otherMore = `${more}\n//other`
  const script = built('loader.js')
    .replace(integrity('sha256', more), integrity('sha256', otherMore))
    .replace(folderName(more), folderName(otherMore))
  const other = `window.isOtherBuild = true;${script}`
  expect(other).toContain(folderName(otherMore))
  writeFileSync(join(folder, 'loader.js'), other)
  writeFileSync(join(folder, 'loader-more.js'), otherMore)
  return `<script src="${dialogOrigin}/loader/${folderName(other)}/loader.js" integrity="${integrity('sha384', other)}" crossorigin="anonymous" data-app-id="${appId}" async></script>`
}

/**
 * Opens a page with these scripts as a new visitor. Returns which build handled a call of the second file.
 */
async function visit(browser: Browser, stack: Stack, scripts: string) {
  // The demo host's policy does not allow these scripts.
  const context = await browser.newContext({ bypassCSP: true })
  try {
    await reduceDrawing(context)
    const page = await context.newPage()
    await page.goto(`${stack.hostOrigin}/empty`)
    const loaded: string[] = []
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (pathname.startsWith('/loader/')) loaded.push(`${response.status()} ${pathname}`)
    })
    await page.setContent(`<!doctype html><body>${scripts}`)
    await page.waitForFunction('window.latchkey?.appId')
    const code = await page.evaluate("latchkey.signMessage('hello').catch(({ code }) => code)")
    return { code, isOther: await page.evaluate('window.isOtherBuild ?? false'), loaded }
  } finally {
    await context.close()
  }
}

test('pages that pin a loader work after an upgrade of the server and after a rollback', async ({
  browser,
  stack,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-loader-'))
  try {
    const pinned = await stack.app('snippet', appId, '--pin')
    const pinnedAtOther = buildOther(folder, stack.dialogOrigin)
    const newest = await stack.app('snippet', appId)

    await stack.killServer()
    await stack.startServer(folder)
    expect(await visit(browser, stack, newest)).toMatchObject({
      code: 'must_be_authenticated',
      isOther: true,
    })
    const afterUpgrade = await visit(browser, stack, pinned)
    expect(afterUpgrade).toEqual({
      code: 'must_be_authenticated',
      isOther: false,
      loaded: [
        `200 /loader/${folderName(built('loader.js'))}/loader.js`,
        `200 /loader/${folderName(built('loader-more.js'))}/loader-more.js`,
      ],
    })

    await stack.killServer()
    await stack.startServer()
    expect(await visit(browser, stack, newest)).toMatchObject({
      code: 'must_be_authenticated',
      isOther: false,
    })
    expect(await visit(browser, stack, pinnedAtOther)).toMatchObject({
      code: 'must_be_authenticated',
      isOther: true,
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
