/** Runs the sandbox as a separate program: the relay, and the phone that joins displayed connections. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import * as v from 'valibot'

const repository = resolve(import.meta.dirname, '../../..')

const asked = v.object({
  asked: v.looseObject({ id: v.number(), type: v.string(), message: v.optional(v.string()) }),
})
const relay = v.looseObject({ connections: v.number(), attempts: v.record(v.string(), v.number()) })
const phone = v.looseObject({
  address: v.string(),
  asked: v.array(v.unknown()),
  sessions: v.array(v.looseObject({ name: v.string() })),
})

export async function startSandbox() {
  const args = ['sandbox/main.ts', '--http-port', '0', '--smtp-port', '0', '--chain-port', 'off']
  const program = spawn(process.execPath, args, {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(program, 'exit')
  const port = await new Promise<string>((resolve, reject) => {
    createInterface({ input: program.stdout }).on('line', (line) => {
      const said = /^Inbox: http:\/\/sandbox\.localhost:(\d+)$/.exec(line)?.[1]
      if (said !== undefined) resolve(said)
    })
    ended.then(() => reject(new Error('The sandbox ended')))
  })

  const call = (method: string, path: string, body?: object) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })

  return {
    relayUrl: `ws://127.0.0.1:${port}/walletconnect`,
    fault: (walletconnect: string) => call('POST', '/api/faults', { walletconnect }),
    /** The current relay connections, and how many a project ever opened. */
    relay: async () => v.parse(relay, await (await call('GET', '/api/walletconnect')).json()),
    phone: {
      state: async () => v.parse(phone, await (await call('GET', '/api/phone')).json()),
      join: async (uri: string) => (await call('POST', '/api/phone/pairings', { uri })).status,
      /** Returns the next request, which the wallet's owner answers. */
      async says(answer: 'approve' | 'reject') {
        const next = v.parse(asked, await (await call('GET', '/api/phone/asked/next')).json()).asked
        await call('POST', `/api/phone/asked/${next.id}`, { answer })
        return next
      },
      leave: () => call('DELETE', '/api/phone/sessions'),
    },
    async stop() {
      program.kill('SIGTERM')
      await ended
    },
  }
}
