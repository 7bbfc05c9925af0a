/** An example, built and started with its own scripts, for the app and dialog of the stack. */
import { existsSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { freePort } from '../../../scripts/local/ports.ts'
import { run } from '../../../scripts/processes/run.ts'
import { type Started, startProgram } from '../../stack/process.ts'
import { appId } from '../../stack/stack.ts'
import { expect, test as withClient } from '../page.ts'

export { expect }

const examples = join(import.meta.dirname, '../../../examples')
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
}
/** Like a reader's Node: uses the built packages, not their sources. */
const asInstalled = { NODE_OPTIONS: '', NEXT_TELEMETRY_DISABLED: '1' }

type Env = Readonly<Record<string, string>>
type Change = (text: string) => string

export type Example = {
  /** Returns the stack's settings under the names of the framework. */
  settings: (prefix?: string) => Env
  /** Runs a script of the example. Rejects with its output if it fails. */
  run: (name: string, script: string, env?: Env, args?: string[]) => Promise<void>
  /** Builds with Vite, and opens the build on the host origin. */
  openBuilt: (name: string, env: Env) => Promise<void>
  /** Opens a folder on the host origin, with optional text changes. */
  openFolder: (folder: string, change?: Change) => Promise<void>
  /** Starts a server of the example. Returns its origin, which the app now lists. */
  start: (server: Server) => Promise<string>
}
type Server = {
  name: string
  script: string
  args?: string[]
  env: Env
}

type Fixtures = { example: Example; noErrors: undefined }

export const test = withClient.extend<Fixtures>({
  noErrors: [
    async ({ page }, use) => {
      const errors: string[] = []
      page.on('pageerror', (error) => errors.push(error.message))
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text())
      })
      await use(undefined)
      expect(errors).toEqual([])
    },
    { auto: true },
  ],
  // `client` blocks all requests that leave this machine.
  async example({ client: { stack }, context, page }, use, info) {
    const started: Started[] = []

    const runScript: Example['run'] = async (name, script, env, args = []) => {
      const ended = await run('npm', ['run', script, '--silent', '--', ...args], {
        cwd: join(examples, name),
        env: { ...asInstalled, ...env },
      })
      if (!ended.ok) throw new Error(`npm run ${script} in examples/${name} failed:\n${ended.output}`)
    }
    const open = async (folder: string, change: Change = (text) => text) => {
      const base = `${stack.hostOrigin}/example/`
      await context.route(`${base}**`, async (route) => {
        const path = join(folder, new URL(route.request().url()).pathname.slice('/example/'.length))
        const file = extname(path) === '' ? join(path, 'index.html') : path
        if (!existsSync(file)) return route.fulfill({ status: 404 })
        const body = change(readFileSync(file, 'utf8'))
        return route.fulfill({ contentType: types[extname(file)] ?? 'application/octet-stream', body })
      })
      await page.goto(base)
    }

    await use({
      settings: (prefix = '') => ({
        [`${prefix}LATCHKEY_APP_ID`]: appId,
        [`${prefix}LATCHKEY_DIALOG_URL`]: stack.dialogOrigin,
      }),
      run: runScript,
      async openBuilt(name, env) {
        const folder = info.outputPath('built')
        await runScript(name, 'build', env, ['--base', '/example/', '--outDir', folder])
        await open(folder)
      },
      openFolder: (folder, change) => open(join(examples, folder), change),
      async start({ name, script, args = [], env }) {
        const port = await freePort()
        const origin = `http://localhost:${port}`
        await stack.app('origins', appId, 'add', origin)
        const keys = `http://127.0.0.1:${stack.serverPort}/.well-known/jwks.json`
        started.push(
          await startProgram({
            name: `examples/${name}`,
            folder: join(examples, name),
            script,
            args,
            env: { ...asInstalled, PORT: String(port), LATCHKEY_KEYS_URL: keys, ...env },
            logFile: info.outputPath('server.log'),
            answersAt: origin,
          }),
        )
        return origin
      },
    })
    await Promise.all(started.map((program) => program.kill('SIGTERM')))
  },
})
