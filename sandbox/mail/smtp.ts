import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import type { FaultSwitch } from '../faults.ts'
import type { Inbox } from './inbox.ts'
import { parseMail } from './message.ts'

const maxMessageBytes = 4 * 1024 * 1024
const idleTimeoutMs = 5 * 60_000
const closeGraceMs = 500

export type Smtp = { port: number; stop: () => Promise<void> }

/** Creates the error of a temporary refusal. */
const refusal = () => Object.assign(new Error('The sandbox refuses mail right now'), { responseCode: 421 })
const tooLarge = () => Object.assign(new Error('The message is too large'), { responseCode: 552 })

/**
 * Starts an SMTP server that accepts mail for any address without authentication. Faults apply to the
 * greeting, to MAIL FROM and to the end of DATA, so they also reach a sender that keeps its connection open.
 */
export const startSmtp = async (options: {
  host: string
  port: number
  inbox: Inbox
  faults: FaultSwitch
}): Promise<Smtp> => {
  const { host, port, inbox, faults } = options

  const gate = (answer: (error?: Error | null) => void) => {
    faults.afterStall('smtp').then((fault) => answer(fault === 'refuse' ? refusal() : null))
  }

  const server = new SMTPServer({
    name: 'sandbox.localhost',
    banner: 'sandbox',
    authOptional: true,
    allowInsecureAuth: true,
    // Senders that upgrade opportunistically would reject a self-signed certificate.
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
      const receive = async () => {
        const chunks: Buffer[] = []
        for await (const chunk of stream) if (!stream.sizeExceeded) chunks.push(Buffer.from(chunk))
        if (stream.sizeExceeded) throw tooLarge()
        if ((await faults.afterStall('smtp')) === 'refuse') throw refusal()
        return inbox.add(await parseMail(Buffer.concat(chunks), envelope))
      }
      receive().then(
        (message) => answer(null, `Kept as ${message.id}`),
        (error: Error) => answer(error),
      )
    },
  })
  // Ignore senders that drop their connection.
  server.on('error', () => {})

  server.listen(port, host)
  await once(server.server, 'listening')
  const address = server.server.address() as AddressInfo

  return {
    port: address.port,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
