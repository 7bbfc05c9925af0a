/**
 * A proxy before PostgreSQL that fails statements and transactions at random, like serialization failures: the
 * statement or the commit returns 40001, and the transaction is rolled back. It disturbs only the server's
 * connections, which it recognizes by their name, and not those of tests.
 */
import type { Socket } from 'node:net'
import { startTcpProxy } from './tcp-proxy.ts'

export type UndoingProxy = {
  url: string
  /** Returns the number of failed statements and commits. */
  undone: () => { statements: number; commits: number }
  close: () => Promise<void>
}

type Options = {
  /** The `application_name` of the disturbed connections. */
  application: string
  /** The average number of statements per failure. */
  oneOf: number
}

const undo = query("do $$begin raise exception 'undone at random' using errcode = '40001'; end$$")

export async function startUndoingProxy(databaseUrl: string, options: Options): Promise<UndoingProxy> {
  const target = new URL(databaseUrl)
  const counts = { statements: 0, commits: 0 }
  const proxy = await startTcpProxy({
    target: () => ({ port: Number(target.port), hostname: target.hostname }),
    pass: (client, upstream) => pass(client, upstream, options, counts),
  })
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(proxy.port)
  return {
    url: url.href,
    undone: () => ({ ...counts }),
    close: proxy.close,
  }
}

function pass(
  client: Socket,
  upstream: Socket,
  { application, oneOf }: Options,
  counts: { statements: number; commits: number },
): void {
  let isDisturbed = false
  let isFailingCommit = false
  const toServer = messages({ hasStart: true })
  const toClient = messages({ hasStart: false })
  /** The messages of one round trip: up to a Sync, or a simple query. */
  let group: Buffer[] = []

  client.on('data', (chunk) => {
    for (const message of toServer(chunk)) {
      if (message.type === 'start') {
        isDisturbed = message.bytes.includes(`application_name\0${application}\0`)
        upstream.write(message.bytes)
        continue
      }
      group.push(message.bytes)
      if (message.type !== 'Q' && message.type !== 'S') {
        if (message.type === 'p' || message.type === 'X') flush()
        continue
      }
      const text = message.type === 'Q' ? message.bytes.subarray(5, -1).toString() : ''
      if (isDisturbed && Math.random() * oneOf < 1) disturb(text)
      flush()
    }
  })

  function disturb(text: string): void {
    if (text === 'commit') {
      counts.commits += 1
      isFailingCommit = true
      group = [query('rollback')]
    } else if (text === '') {
      counts.statements += 1
      group = [undo]
    }
  }

  function flush(): void {
    upstream.write(Buffer.concat(group))
    group = []
  }

  upstream.on('data', (chunk) => {
    const passed: Buffer[] = []
    for (const { type, bytes } of toClient(chunk)) {
      const isCommit = isFailingCommit && type === 'C'
      if (isCommit) isFailingCommit = false
      passed.push(isCommit ? commitUndone : bytes)
    }
    client.write(Buffer.concat(passed))
  })
}

type Message = { type: string; bytes: Buffer }

/** Splits a stream into messages. A client's first message has no type. */
function messages({ hasStart }: { hasStart: boolean }) {
  let rest = Buffer.alloc(0)
  let isStart = hasStart
  return function* (chunk: Buffer): Generator<Message> {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const header = isStart ? 0 : 1
      if (rest.length < header + 4) return
      const length = header + rest.readInt32BE(header)
      if (rest.length < length) return
      const bytes = rest.subarray(0, length)
      rest = rest.subarray(length)
      yield { type: isStart ? 'start' : String.fromCharCode(bytes[0] ?? 0), bytes }
      isStart = false
    }
  }
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
function query(text: string): Buffer {
  return message('Q', Buffer.from(`${text}\0`))
}
const commitUndone = message('E', Buffer.from('SERROR\0VERROR\0C40001\0Mthe commit was undone at random\0\0'))
