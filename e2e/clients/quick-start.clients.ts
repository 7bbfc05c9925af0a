/** The backend quick start of docs/quick-start.md, run in a clone of the committed files. */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openInbox } from '@latchkey/sandbox'
import { freePort, localPorts } from '../../scripts/local/ports.ts'
import { run as runProgram } from '../../scripts/processes/run.ts'
import { root } from '../../scripts/setup.mjs'
import { expect, test } from '../test.ts'

const startDeadlineMs = 400_000
const programDeadlineMs = 10_000
/** Ports that no other test uses. */
const portBase = localPorts().server + 900

const guide = readFileSync(join(root, 'docs/quick-start.md'), 'utf8')

/** Returns the shell commands of a section, one list per block. */
function commandsIn(title: string): readonly (readonly string[])[] {
  const section = guide.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? ''
  return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block.trim().split('\n'))
}

test('the printed quick start of a backend works on a bare clone', async ({ page }) => {
  test.setTimeout(900_000)
  const place = mkdtempSync(join(tmpdir(), 'latchkey-quick-start-'))
  const [clone, app] = [join(place, 'clone'), join(place, 'app')]
  const env = { LATCHKEY_PORT_BASE: String(portBase), NODE_OPTIONS: '' }
  const programs: ReturnType<typeof startProgram>[] = []

  async function run(command: string, cwd: string) {
    const { ok, output } = await runProgram('sh', ['-c', command], { cwd, env })
    expect(ok, `${command}\n${output}`).toBe(true)
    return output
  }
  function startProgram(command: string, cwd: string, programEnv: Readonly<Record<string, string>>) {
    const child = spawn('sh', ['-c', command], {
      cwd,
      detached: true,
      env: { ...process.env, ...env, ...programEnv },
    })
    let output = ''
    const closed = new Promise<string>((resolve) => child.on('close', () => resolve(output)))
    return {
      /** Resolves when the program prints the text. Rejects when it exits, or after the deadline. */
      prints: (text: string, deadlineMs: number) =>
        new Promise<void>((resolve, reject) => {
          const fail = (why: string) => reject(new Error(`${command} ${why}:\n${output}`))
          const deadline = setTimeout(() => fail(`did not print "${text}"`), deadlineMs)
          void closed.then(() => fail('ended'))
          for (const stream of [child.stdout, child.stderr]) {
            stream.on('data', (data) => {
              output += data
              if (!output.includes(text)) return
              clearTimeout(deadline)
              resolve()
            })
          }
        }),
      async stop() {
        if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
        await closed
      },
    }
  }
  function start(command: string, cwd: string, programEnv: Readonly<Record<string, string>> = {}) {
    const program = startProgram(command, cwd, programEnv)
    programs.push(program)
    return program
  }

  try {
    await run(`git clone --quiet ${root} ${clone}`, place)
    const [[startProduct = ''] = [], appCommands = [], packCommands = []] = commandsIn('Before you start')
    await start(startProduct, clone).prints('Press Ctrl-C', startDeadlineMs)

    const port = await freePort()
    let appId = '<app id>'
    for (const command of appCommands) {
      const filled = command.replace('http://localhost:5173', `http://localhost:${port}`)
      const output = await run(filled.replace('<app id>', appId), clone)
      appId = /^App id: +(\S+)$/m.exec(output)?.[1] ?? appId
    }
    for (const command of packCommands) await run(command, clone)
    expect(await run('tar -tzf packages/latchkey-loader-0.1.0.tgz', clone)).toContain(
      'package/dist/index.d.ts',
    )

    const [[installHono = ''] = [], [startHono = ''] = []] = commandsIn('A backend')
    mkdirSync(app)
    writeFileSync(join(app, 'package.json'), '{ "private": true, "type": "module" }')
    for (const name of ['hono.ts', 'latchkey.ts', 'index.html']) {
      cpSync(join(clone, 'examples/backends', name), join(app, name))
    }
    const settings = readFileSync(join(clone, 'examples/backends/.env.example'), 'utf8')
    writeFileSync(
      join(app, '.env'),
      settings.replace('YOUR_APP_ID', appId).replaceAll(':4000', `:${portBase}`),
    )
    await run(installHono, app)
    await run(`npm install ${join(clone, 'packages/latchkey-server-0.1.0.tgz')}`, app)
    await start(startHono, app, {
      PORT: String(port),
      PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
    }).prints(`http://localhost:${port}`, programDeadlineMs)

    const inbox = openInbox(`http://127.0.0.1:${portBase + 20}`)
    const dialog = page.frameLocator('iframe[title="Latchkey login and wallet"]')
    await page.goto(`http://localhost:${port}`)
    await page.getByRole('button', { name: 'Log in' }).click()
    await dialog.getByRole('textbox', { name: /e-?mail/i }).fill(inbox.address)
    await page.keyboard.press('Enter')
    const code = await inbox.nextCode()
    await expect(dialog.getByRole('textbox', { name: /digit/i }).first()).toBeFocused()
    await page.keyboard.type(code)
    await page.getByRole('button', { name: 'Ask the server' }).click()
    await expect(page.getByRole('status')).toHaveText(
      String(await page.evaluate('latchkey.getUser().then(({ id }) => id)')),
    )
  } finally {
    for (const program of programs.reverse()) await program.stop()
    rmSync(place, { recursive: true, force: true })
  }
})
