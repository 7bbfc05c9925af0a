import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import type { FaultSwitch } from '../faults.ts'
import type { Inbox } from './inbox.ts'
import { readMail } from './message.ts'

const maxMessageBytes = 4 * 1024 * 1024
const idleTimeoutMs = 5 * 60_000
const closeGraceMs = 500

export type Smtp = { port: number; stop: () => Promise<void> }

/** A refusal that a well-behaved sender takes for temporary. */
const refusal = () => Object.assign(new Error('The sandbox refuses mail right now'), { responseCode: 421 })
const tooLarge = () => Object.assign(new Error('The message is too large'), { responseCode: 552 })

/**
 * Takes mail for any address from anybody. Faults hold at the greeting, at MAIL FROM and at the end of the data,
 * so that they also reach a sender that keeps its connection open.
 */
export const startSmtp = async (options: {
  host: string
  port: number
  inbox: Inbox
  faults: FaultSwitch
}): Promise<Smtp> => {
  const { host, port, inbox, faults } = options

  const gate = (answer: (error?: Error | null) => void) => {
    faults.passed('smtp').then((fault) => answer(fault === 'refuse' ? refusal() : null))
  }

  const server = new SMTPServer({
    name: 'sandbox.localhost',
    banner: 'sandbox',
    authOptional: true,
    allowInsecureAuth: true,
    // A self-signed certificate would be refused by senders that upgrade when they can.
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    size: maxMessageBytes,
    socketTimeout: idleTimeoutMs,
    closeTimeout: closeGraceMs,
    onAuth: (auth, _session, answer) => answer(null, { user: auth.username ?? 'anybody' }),
    onConnect: (_session, answer) => gate(answer),
    onMailFrom: (_address, _session, answer) => gate(answer),
    onData: (stream, session, answer) => {
      const { mailFrom, rcptTo } = session.envelope
      const envelope = {
        from: mailFrom === false ? '' : mailFrom.address,
        to: rcptTo.map(({ address }) => address),
      }
      const take = async () => {
        const chunks: Buffer[] = []
        for await (const chunk of stream) if (!stream.sizeExceeded) chunks.push(Buffer.from(chunk))
        if (stream.sizeExceeded) throw tooLarge()
        if ((await faults.passed('smtp')) === 'refuse') throw refusal()
        return inbox.add(await readMail(Buffer.concat(chunks), envelope))
      }
      take().then(
        (message) => answer(null, `Kept as ${message.id}`),
        (error: Error) => answer(error),
      )
    },
  })
  // A sender that drops its connection is its own affair.
  server.on('error', () => {})

  server.listen(port, host)
  await once(server.server, 'listening')
  const address = server.server.address() as AddressInfo

  return {
    port: address.port,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
