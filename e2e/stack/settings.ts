/** Changes app settings while the server runs. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Operator } from '@latchkey/sandbox/programs'
import { openConnections } from '../client/http.ts'

type App = {
  updated_at: number
  config: Readonly<Record<string, unknown>>
  [column: string]: unknown
}

type SettingsOptions = {
  appId: string
  operator: Pick<Operator, 'run'>
  serverPort: number
  dialogOrigin: string
  /** The RPC address that replaces `{chain}` in settings. */
  chainUrl: string
  /** The RPC address that replaces `{solana}` in settings. */
  solanaUrl: string
}

const POLL_MS = 25
const DEADLINE_MS = 10_000
/** Columns of an app that the operator's `set` changes and that tests use. */
const columns = ['session_mode', 'max_users']

const flat = ({ config, ...app }: App): Readonly<Record<string, unknown>> => ({
  ...config,
  ...Object.fromEntries(columns.map((name) => [name, app[name]])),
})

/** Changes settings and waits until the server uses them. The server caches them for a second. */
export function createSettings({
  appId,
  operator,
  serverPort,
  dialogOrigin,
  chainUrl,
  solanaUrl,
}: SettingsOptions) {
  const readApp = async (): Promise<App> => JSON.parse(await operator.run('show', appId, '--json'))

  async function waitUntilInUse() {
    const { updated_at } = await readApp()
    const connections = openConnections(serverPort, 1)
    const endMs = performance.now() + DEADLINE_MS
    try {
      for (;;) {
        const { status, body } = await connections.get(dialogOrigin, `/api/v1/apps/${appId}`, {})
        if (Object(body).updated_at === updated_at) return
        if (performance.now() > endMs)
          throw new Error(
            `The server has not applied the changed settings: ${status} ${JSON.stringify(body)}`,
          )
        await sleep(POLL_MS)
      }
    } finally {
      connections.close()
    }
  }

  let first: Promise<App> | undefined
  let current = ''

  async function run(...args: readonly string[]) {
    first ??= readApp()
    await first
    const printed = await operator.run(...args)
    if (args.includes(appId)) {
      current = 'changed by a test'
      await waitUntilInUse()
    }
    return printed
  }

  async function use(settings: readonly string[]) {
    first ??= readApp()
    const initial = flat(await first)
    const key = JSON.stringify(settings)
    if (key === current) return
    const changes = Object.entries(flat(await readApp()))
      .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(initial[name]))
      .map(([name]) => `${name}=${JSON.stringify(initial[name])}`)
    if (changes.length + settings.length > 0) {
      const changed = settings.map((setting) =>
        setting.replace('{chain}', JSON.stringify(chainUrl)).replace('{solana}', JSON.stringify(solanaUrl)),
      )
      await operator.run('set', appId, ...changes, ...changed)
      await waitUntilInUse()
    }
    current = key
  }

  return { run, use }
}
